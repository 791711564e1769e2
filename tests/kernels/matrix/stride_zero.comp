#version 450
// A stride of 0: every row of A is the same.
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess
//! require matrix 16 16 16 f16 f16 f32 f32
//! subgroup 32 full
//! buffer a f16[16] binding 0 = random(-2.0, 2.0, 1)
//! buffer all f16[256] = a[i % 16]
//! buffer b f16[256] binding 1 = random(-2.0, 2.0, 2)
//! buffer d f32[256] binding 2
//! dispatch 1
//! matmul d(16, 16) = all(16, 16) * b(16, 16)
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer ABuffer { float16_t a[]; };
layout(binding = 1) readonly buffer BBuffer { float16_t b[]; };
layout(binding = 2) buffer DBuffer { float d[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;
#define MATRIX_A coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA>
#define MATRIX_B coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB>
#define ACCUMULATOR coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>

void main() {
  MATRIX_A x;
  MATRIX_B y;
  coopMatLoad(x, a, 0, 0, row);
  coopMatLoad(y, b, 0, 16, row);
  coopMatStore(coopMatMulAdd(x, y, ACCUMULATOR(0.0)), d, 0, 16, row);
}
