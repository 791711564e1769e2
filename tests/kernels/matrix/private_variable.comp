#version 450
// Matrices in Private variables, written by one function and read by another.
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess
//! require matrix 16 16 16 f16 f16 f32 f32
//! subgroup 32 full
//! each OPT = off | on
//! optimize $(OPT)
//! buffer a f16[256] binding 0 = random(-2.0, 2.0, 1)
//! buffer b f16[256] binding 1 = random(-2.0, 2.0, 2)
//! buffer d f32[256] binding 2
//! dispatch 1
//! matmul d(16, 16) = a(16, 16) * b(16, 16)
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

MATRIX_A left;
MATRIX_B right[2];

void load() {
  coopMatLoad(left, a, 0, 16, row);
  coopMatLoad(right[1], b, 0, 16, row);
}

void main() {
  load();
  coopMatStore(coopMatMulAdd(left, right[1], ACCUMULATOR(0.0)), d, 0, 16, row);
}
