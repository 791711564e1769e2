#version 450
// GL_NV_cooperative_matrix: a loop of multiply-adds over four matrices, which is scheduled as with
// those of GL_KHR_cooperative_matrix.
//! require VK_NV_cooperative_matrix shaderFloat16 storageBuffer16BitAccess
//! require matrix 16 16 16 f16 f16 f32 f32
//! subgroup 32 full
//! buffer a f16[32 * 176] binding 0 = random(-4.0, 4.0, 1)
//! buffer b f16[176 * 32] binding 1 = random(-4.0, 4.0, 2)
//! buffer d f32[32 * 32] binding 2
//! dispatch 1
//! matmul d(32, 32) = a(32, 176) * b(176, 32 column) steps 11
#extension GL_NV_cooperative_matrix : require
#extension GL_NV_integer_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer ABuffer { float16_t a[]; };
layout(binding = 1) readonly buffer BBuffer { float16_t b[]; };
layout(binding = 2) writeonly buffer DBuffer { float d[]; };
#define HALVES fcoopmatNV<16, gl_ScopeSubgroup, 16, 16>
#define FLOATS fcoopmatNV<32, gl_ScopeSubgroup, 16, 16>

void main() {
  FLOATS sums[2][2];
  for (int r = 0; r < 2; ++r)
    for (int c = 0; c < 2; ++c) sums[r][c] = FLOATS(0.0);
  for (int k = 0; k < 176; k += 16) {
    HALVES left[2], right[2];
    for (int n = 0; n < 2; ++n) {
      coopMatLoadNV(left[n], a, n * 16 * 176 + k, 176, false);
      coopMatLoadNV(right[n], b, n * 16 * 176 + k, 176, true);
    }
    for (int r = 0; r < 2; ++r)
      for (int c = 0; c < 2; ++c) sums[r][c] = coopMatMulAddNV(left[r], right[c], sums[r][c]);
  }
  for (int r = 0; r < 2; ++r)
    for (int c = 0; c < 2; ++c) coopMatStoreNV(sums[r][c], d, r * 16 * 32 + c * 16, 32, false);
}
