#version 450
// A product whose result is an operand of the next: (A * B) * C, by several workgroups.
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess
//! require VK_EXT_cooperative_matrix_maintenance1 cooperativeMatrixConversions
//! require matrix 16 16 16 f16 f16 f16 f16
//! require matrix 16 16 16 f16 f16 f32 f32
//! subgroup 32 full
//! buffer a f16[48 * 80] binding 0 = random(-2, 2, 1)
//! buffer b f16[80 * 16] binding 1 = random(-1, 1, 2)
//! buffer c f16[16 * 64] binding 2 = random(-3, 3, 3)
//! buffer product f32[48 * 16] binding 3
//! buffer d f32[48 * 16] binding 4
//! dispatch 3
//! expect product = sum(k, 0, 80, a[i / 16 * 80 + k] * b[k * 16 + i % 16])
//! expect d = sum(j, 0, 64, sum(k, 0, 80, a[i / 16 * 80 + k] * b[k * 16 + j % 16]) *
//!+ c[j % 16 * 64 + j / 16 * 16 + i % 16])
#extension GL_KHR_cooperative_matrix : require
#extension GL_EXT_cooperative_matrix_maintenance1 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer ABuffer { float16_t a[]; };
layout(binding = 1) readonly buffer BBuffer { float16_t b[]; };
layout(binding = 2) readonly buffer CBuffer { float16_t c[]; };
layout(binding = 3) writeonly buffer ProductBuffer { float product[]; };
layout(binding = 4) writeonly buffer DBuffer { float d[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;
#define LEFT coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA>
#define RIGHT coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB>
#define SUM(T) coopmat<T, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>

void main() {
  const uint y = gl_WorkGroupID.x * 16;
  SUM(float16_t) first = SUM(float16_t)(0);
  for (uint k = 0; k < 80; k += 16) {
    LEFT left;
    RIGHT right;
    coopMatLoad(left, a, y * 80 + k, 80, row);
    coopMatLoad(right, b, k * 16, 16, row);
    first = coopMatMulAdd(left, right, first);
  }
  SUM(float) second = SUM(float)(0);
  for (uint j = 0; j < 4; ++j) {
    RIGHT right;
    coopMatLoad(right, c, j * 16, 64, row);
    second = coopMatMulAdd(LEFT(first), right, second);
  }
  coopMatStore(SUM(float)(first), product, y * 16, 16, row);
  coopMatStore(second, d, y * 16, 16, row);
}
