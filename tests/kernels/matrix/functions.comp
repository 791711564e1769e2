#version 450
// Matrices as parameters, results and members of structures.
//! each OPT = off | on
//! optimize $(OPT)
//! require cooperativeMatrix
//! require matrix 16 16 16 f32 f32 f32 f32
//! subgroup 32 full
//! buffer a f32[256] binding 0 = random(-4, 4, 1)
//! buffer b f32[256] binding 1 = random(-4, 4, 2)
//! buffer twice f32[256] = 2 * a[i]
//! buffer one f32[256] = 1
//! buffer d f32[256] binding 2
//! dispatch 1
//! matmul d(16, 16) = twice(16, 16) * b(16, 16) + one(16, 16)
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
#pragma use_vulkan_memory_model
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer ABuffer { float a[]; };
layout(binding = 1) readonly buffer BBuffer { float b[]; };
layout(binding = 2) writeonly buffer DBuffer { float d[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;
#define MATRIX_A coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA>
#define MATRIX_B coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB>
#define ACCUMULATOR coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>

struct Operands {
  MATRIX_A left;
  MATRIX_B right;
};

Operands loadOperands() {
  Operands operands;
  coopMatLoad(operands.left, a, 0, 16, row);
  coopMatLoad(operands.right, b, 0, 16, row);
  return operands;
}

void twice(inout MATRIX_A m) { m = m + m; }

ACCUMULATOR multiply(Operands operands, ACCUMULATOR sum) {
  return coopMatMulAdd(operands.left, operands.right, sum);
}

void main() {
  Operands operands = loadOperands();
  twice(operands.left);
  coopMatStore(multiply(operands, ACCUMULATOR(1.0)), d, 0, 16, row);
}
