#version 450
// ldmatrix.sync.aligned.m8n16.{x1,x2,x4}.shared.b8x16.{b6x16_p32,b4x16_p64} r, [p]; with an address from
// each thread.
//
// Where rows lie: row k of all matrices, whose address thread k gives, is row (k * STEP + 7) / EVERY % 64
// of shared memory.
//! each ROWS STEP EVERY = in_order 1 1 | scattered 29 1 | backwards 63 1 | repeated 1 3
//! each FORM COUNT BITS
//!+  = ldmatrix_m8n16_x1_b8x16_b6x16_p32 1 6
//!+  | ldmatrix_m8n16_x2_b8x16_b6x16_p32 2 6
//!+  | ldmatrix_m8n16_x4_b8x16_b6x16_p32 4 6
//!+  | ldmatrix_m8n16_x1_b8x16_b4x16_p64 1 4
//!+  | ldmatrix_m8n16_x2_b8x16_b4x16_p64 2 4
//!+  | ldmatrix_m8n16_x4_b8x16_b4x16_p64 4 4
//! subgroup 32 full
//! buffer memory u8[64 * 16] binding 0 = random(0, 255, 1)
//! buffer registers u32[$(COUNT) * 32] binding 1
//! dispatch 1
//! expect registers = ((memory[((i/32*8+i%32/4)*$(STEP)+7)/$(EVERY)%64*16 + (i%4*4+0)*$(BITS)/8] | memory[((i/32*8+i%32/4)*$(STEP)+7)/$(EVERY)%64*16 + (i%4*4+0)*$(BITS)/8 + 1] << 8) >> (i%4*4+0)*$(BITS)%8 & (1<<$(BITS))-1)
//!+  | ((memory[((i/32*8+i%32/4)*$(STEP)+7)/$(EVERY)%64*16 + (i%4*4+1)*$(BITS)/8] | memory[((i/32*8+i%32/4)*$(STEP)+7)/$(EVERY)%64*16 + (i%4*4+1)*$(BITS)/8 + 1] << 8) >> (i%4*4+1)*$(BITS)%8 & (1<<$(BITS))-1) << 8
//!+  | ((memory[((i/32*8+i%32/4)*$(STEP)+7)/$(EVERY)%64*16 + (i%4*4+2)*$(BITS)/8] | memory[((i/32*8+i%32/4)*$(STEP)+7)/$(EVERY)%64*16 + (i%4*4+2)*$(BITS)/8 + 1] << 8) >> (i%4*4+2)*$(BITS)%8 & (1<<$(BITS))-1) << 16
//!+  | ((memory[((i/32*8+i%32/4)*$(STEP)+7)/$(EVERY)%64*16 + (i%4*4+3)*$(BITS)/8] | memory[((i/32*8+i%32/4)*$(STEP)+7)/$(EVERY)%64*16 + (i%4*4+3)*$(BITS)/8 + 1] << 8) >> (i%4*4+3)*$(BITS)%8 & (1<<$(BITS))-1) << 24
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
