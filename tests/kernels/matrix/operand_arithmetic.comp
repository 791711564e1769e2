#version 450
// Arithmetic on matrices of use A and B before they are multiplied.
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess
//! require matrix 16 16 16 f16 f16 f32 f32
//! subgroup 32 full
//! buffer a f16[256] binding 0 = random(-8, 8, 1)
//! buffer b f16[256] binding 1 = random(-8, 8, 2)
//! buffer scaled f16[256] = a[i] * 2 + 1
//! buffer negated f16[256] = -b[i]
//! buffer d f32[256] binding 2
//! dispatch 1
//! matmul d(16, 16) = scaled(16, 16) * negated(16, 16)
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
  MATRIX_A x;
  MATRIX_B y;
  coopMatLoad(x, a, 0, 16, row);
  coopMatLoad(y, b, 0, 16, row);
  x = x * float16_t(2) + MATRIX_A(float16_t(1));
  coopMatStore(coopMatMulAdd(x, -y, ACCUMULATOR(0.0)), d, 0, 16, row);
}
