#version 450
// ldmatrix.sync.aligned.m8n8.{x1,x2,x4}{.trans}.shared.b16 r, [p]; with an address from each thread.
//
// Where rows lie: row k of all matrices, whose address thread k gives, is row (k * STEP + 7) / EVERY % 64
// of shared memory.
//! each ROWS STEP EVERY = in_order 1 1 | scattered 29 1 | backwards 63 1 | repeated 1 3
//! each FORM COUNT ROW COLUMN DOWN RIGHT
//!+  = ldmatrix_m8n8_x1_b16 1 i%32/4 i%4*2 0 1
//!+  | ldmatrix_m8n8_x2_b16 2 i%32/4 i%4*2 0 1
//!+  | ldmatrix_m8n8_x4_b16 4 i%32/4 i%4*2 0 1
//!+  | ldmatrix_m8n8_x1_trans_b16 1 i%4*2 i%32/4 1 0
//!+  | ldmatrix_m8n8_x2_trans_b16 2 i%4*2 i%32/4 1 0
//!+  | ldmatrix_m8n8_x4_trans_b16 4 i%4*2 i%32/4 1 0
//! subgroup 32 full
//! buffer memory u16[64 * 8] binding 0 = random(0, 65535, 1)
//! buffer registers u32[$(COUNT) * 32] binding 1
//! dispatch 1
//! expect registers = memory[((i/32*8+$(ROW))*$(STEP)+7)/$(EVERY)%64*8 + $(COLUMN)]
//!+  | memory[((i/32*8+$(ROW)+$(DOWN))*$(STEP)+7)/$(EVERY)%64*8 + $(COLUMN)+$(RIGHT)] << 16
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Memory { uint memory[]; };
layout(binding = 1) writeonly buffer Registers { uint registers[]; };

shared uint tile[64 * 4];
#define LDMATRIX_SHARED(word) tile[word]
#include "ldmatrix.glsl"

void main() {
  const uint thread = gl_SubgroupInvocationID;
  for (uint k = thread; k < 64 * 4; k += 32) tile[k] = memory[k];
  barrier();
  const uint address = (thread * STEP + 7) / EVERY % 64 * 16;
  #if COUNT == 1
  const uint r[1] = uint[](FORM(address));
#elif COUNT == 2
  const uvec2 r = FORM(address);
#else
  const uvec4 r = FORM(address);
#endif
  for (uint n = 0; n < COUNT; ++n) registers[n * 32 + thread] = r[n];
}
