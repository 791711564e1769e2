#version 450
// Elements of 4 or 6 bits as an operand of mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32: ldmatrix
// unpacks them to bytes (.b8x16), here as integers. A register holds four elements, which are four
// components of the matrix.
//
// A (16x32) has two rows of memory for each of its own, 16 elements and padding to 16 bytes in each; B
// (32x8) is bytes, by columns: 32 for each n, which .m8n8.x2.b16 loads, two elements at a time.
//! each FORM BITS = ldmatrix_m8n16_x4_b8x16_b4x16_p64 4 | ldmatrix_m8n16_x4_b8x16_b6x16_p32 6
//! setting component_layout ptx
//! require cooperativeMatrix cooperativeMatrixFlexibleDimensions shaderInt8
//! subgroup 32 full
//! buffer a u8[16 * 2 * 16] binding 0 = random(0, 255, 1)
//! buffer b u8[8 * 32] binding 1 = random(0, 255, 2)
//! buffer c s32[16 * 8] binding 2
//! dispatch 1
//! expect c = sum(k, 0, 32, b[(i/4%4*2+i%2)*32 + k] * ((a[((i/2%2*8+i/16)*2+k/16)*16 + k%16*$(BITS)/8]
//!+  | a[((i/2%2*8+i/16)*2+k/16)*16 + k%16*$(BITS)/8 + 1] << 8) >> k%16*$(BITS)%8 & (1<<$(BITS))-1))
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer A { uint a[]; };
layout(binding = 1) readonly buffer B { uint b[]; };
layout(binding = 2) writeonly buffer C { int c[]; };

const uint kA = 0, kB = 16 * 2 * 16;  // bytes to where each begins
shared uint tile[(16 * 2 * 16 + 8 * 32) / 4];
#define LDMATRIX_SHARED(word) tile[word]
#include "ldmatrix.glsl"

void main() {
  const uint t = gl_SubgroupInvocationID;
  for (uint k = t; k < 16 * 2 * 4; k += 32) tile[kA / 4 + k] = a[k];
  for (uint k = t; k < 8 * 8; k += 32) tile[kB / 4 + k] = b[k];
  barrier();

  const uvec4 ra = FORM(kA + (t % 16 * 2 + t / 16) * 16);
  const uvec2 rb = ldmatrix_m8n8_x2_b16(kB + (t % 8 * 2 + t / 8 % 2) * 16);
  coopmat<uint8_t, gl_ScopeSubgroup, 16, 32, gl_MatrixUseA> left;
  coopmat<uint8_t, gl_ScopeSubgroup, 32, 8, gl_MatrixUseB> right;
  for (uint n = 0; n < 4; ++n) {
    const u8vec4 four = unpack8(ra[n]);
    for (uint k = 0; k < 4; ++k) left[4 * n + k] = four[k];
  }
  for (uint n = 0; n < 2; ++n) {
    const u8vec4 four = unpack8(rb[n]);
    for (uint k = 0; k < 4; ++k) right[4 * n + k] = four[k];
  }
  coopmat<int, gl_ScopeSubgroup, 16, 8, gl_MatrixUseAccumulator> sum =
      coopmat<int, gl_ScopeSubgroup, 16, 8, gl_MatrixUseAccumulator>(0);
  sum = coopMatMulAdd(left, right, sum);
  for (uint n = 0; n < 4; ++n) c[t * 4 + n] = sum[n];
}
