#version 450
// What ldmatrix costs beside the matrix load that it stands for, with rows at equal distances, which is
// all that the latter can do:
//
//     tessera-run --time 20 examples/ldmatrix/cost.comp
//
// Each variant loads 16 rows from four places in turn, ten thousand times, and adds up the registers.
//! each FORM LOAD LAYOUT ROW CHUNK AT STEP
//!+  = x4_b16 ldmatrix_m8n8_x4_b16 Row t%16 t/16 i/32%2*512+i%32/4*64+i/64*8+i%4*2 1
//!+  | x4_b16_matrix load_matrix Row 0 0 i/32%2*512+i%32/4*64+i/64*8+i%4*2 1
//!+  | x4_trans_b16 ldmatrix_m8n8_x4_trans_b16 Column t/16*8+t%8 t/8%2 i/64*512+i%4*128+i/32%2*8+i%32/4 64
//!+  | x4_trans_b16_matrix load_matrix Column 0 0 i/64*512+i%4*128+i/32%2*8+i%32/4 64
//! setting component_layout ptx
//! require cooperativeMatrix shaderFloat16
//! require matrix 16 16 16 f16 f16 f32 f32
//! subgroup 32 full
//! buffer memory u16[64 * 64] binding 0 = random(0, 3, 1)
//! buffer registers u32[128] binding 1
//! dispatch 1
//! expect registers = 2500 * sum(q, 0, 4, memory[q*1040+$(AT)] + 65536 * memory[q*1040+$(AT)+$(STEP)])
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Memory { uint memory[]; };
layout(binding = 1) writeonly buffer Registers { uint registers[]; };

const uint kStride = 128;  // bytes from row to row
shared uint tile[64 * kStride / 4];
#define LDMATRIX_SHARED(word) tile[word]
#include "ldmatrix.glsl"

uvec4 load_matrix(uint address) {
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> matrix;
  coopMatLoad(matrix, tile, address / 4, kStride / 4, gl_CooperativeMatrixLayout$(LAYOUT)Major);
  uvec4 r;
  for (uint n = 0; n < 4; ++n) r[n] = packFloat2x16(f16vec2(matrix[2 * n], matrix[2 * n + 1]));
  return r;
}

void main() {
  const uint t = gl_SubgroupInvocationID;
  for (uint k = t; k < 64 * kStride / 4; k += 32) tile[k] = memory[k];
  barrier();
  uvec4 sum = uvec4(0);
  for (uint k = 0; k < 10000; ++k) {
    const uint place = k % 4 * 16 * kStride + k % 4 * 32;
    sum += $(LOAD)(place + ($(ROW)) * kStride + ($(CHUNK)) * 16);
  }
  for (uint n = 0; n < 4; ++n) registers[n * 32 + t] = sum[n];
}
