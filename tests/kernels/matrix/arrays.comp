#version 450
// Arrays of matrices, indexed by constants and by loop variables; copies of the array.
//! each OPT = off | on
//! optimize $(OPT)
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess
//! require matrix 16 16 16 f16 f16 f32 f32
//! subgroup 32 full
//! buffer a f16[1024] binding 0 = random(-2.0, 2.0, 1)
//! buffer b f16[256] binding 1 = random(-2.0, 2.0, 2)
//! buffer d f32[1024] binding 2
//! dispatch 1
//! matmul d(16, 16 row offset 0) = a(16, 16 row offset 768) * b(16, 16)
//! matmul d(16, 16 row offset 256) = a(16, 16 row offset 512) * b(16, 16)
//! matmul d(16, 16 row offset 512) = a(16, 16 row offset 256) * b(16, 16)
//! matmul d(16, 16 row offset 768) = a(16, 16 row offset 0) * b(16, 16)
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer ABuffer { float16_t a[]; };
layout(binding = 1) readonly buffer BBuffer { float16_t b[]; };
layout(binding = 2) writeonly buffer DBuffer { float d[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;
#define MATRIX_A coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA>
#define MATRIX_B coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB>
#define ACCUMULATOR coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>

void main() {
  MATRIX_A x[4];
  MATRIX_B y;
  ACCUMULATOR sums[4];
  for (int k = 0; k < 4; ++k) coopMatLoad(x[k], a, k * 256, 16, row);
  coopMatLoad(y, b, 0, 16, row);
  for (int k = 0; k < 4; ++k) sums[k] = ACCUMULATOR(0.0);
  for (int k = 0; k < 4; ++k) sums[3 - k] = coopMatMulAdd(x[k], y, sums[3 - k]);
  ACCUMULATOR copies[4] = sums;
  for (int k = 0; k < 4; ++k) coopMatStore(copies[k], d, k * 256, 16, row);
}
