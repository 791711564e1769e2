#version 450
// How a PTX kernel feeds mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 from swizzled shared memory.
//
// A row of A (16x64) or of B (8x64, by columns: a row for each n) is 128 bytes, 8 chunks of 16, and all
// rows' chunk q would be in the same banks; so chunk q of row r lies where chunk q ^ r % 8 would. Each
// thread computes the address of its row, as in PTX: for A (.x4) thread t has row t % 16 of the chunk
// for k to k + 7 (t < 16) or k + 8 to k + 15, for B (.x2) row t % 8. A register holds two elements,
// which are two components of the matrix.
//! setting component_layout ptx
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess
//! require matrix 16 8 16 f16 f16 f32 f32
//! subgroup 32 full
//! buffer a f16[16 * 64] binding 0 = random(-8, 8, 1)
//! buffer b f16[8 * 64] binding 1 = random(-8, 8, 2)
//! buffer c f32[16 * 8] binding 2
//! dispatch 1
//! expect c = sum(k, 0, 64, a[(i/2%2*8+i/16)*64 + k] * b[(i/4%4*2+i%2)*64 + k])
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer A { uvec4 a[]; };
layout(binding = 1) readonly buffer B { uvec4 b[]; };
layout(binding = 2) writeonly buffer C { float c[]; };

const uint kRows = 16 + 8, kA = 0, kB = 16 * 128;  // rows of both, and bytes to where each begins
shared uint tile[kRows * 32];
#define LDMATRIX_SHARED(word) tile[word]
#include "ldmatrix.glsl"

uint swizzled(uint row, uint chunk) { return row * 128 + (chunk ^ row % 8) * 16; }

// st.shared.v4.b32
void store(uint address, uvec4 value) {
  for (uint k = 0; k < 4; ++k) tile[address / 4 + k] = value[k];
}

void main() {
  const uint t = gl_SubgroupInvocationID;
  for (uint k = t; k < 16 * 8; k += 32) store(kA + swizzled(k / 8, k % 8), a[k]);
  for (uint k = t; k < 8 * 8; k += 32) store(kB + swizzled(k / 8, k % 8), b[k]);
  barrier();

  coopmat<float, gl_ScopeSubgroup, 16, 8, gl_MatrixUseAccumulator> sum =
      coopmat<float, gl_ScopeSubgroup, 16, 8, gl_MatrixUseAccumulator>(0.0);
  for (uint k = 0; k < 64; k += 16) {
    const uvec4 ra = ldmatrix_m8n8_x4_b16(kA + swizzled(t % 16, k / 8 + t / 16));
    const uvec2 rb = ldmatrix_m8n8_x2_b16(kB + swizzled(t % 8, k / 8 + t / 8 % 2));
    coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> left;
    coopmat<float16_t, gl_ScopeSubgroup, 16, 8, gl_MatrixUseB> right;
    for (uint n = 0; n < 4; ++n) {
      const f16vec2 pair = unpackFloat2x16(ra[n]);
      left[2 * n] = pair.x;
      left[2 * n + 1] = pair.y;
    }
    for (uint n = 0; n < 2; ++n) {
      const f16vec2 pair = unpackFloat2x16(rb[n]);
      right[2 * n] = pair.x;
      right[2 * n + 1] = pair.y;
    }
    sum = coopMatMulAdd(left, right, sum);
  }
  for (uint n = 0; n < 4; ++n) c[t * 4 + n] = sum[n];
}
