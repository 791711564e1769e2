#version 450
// Matrices of one value: constants, specialization constants and run-time scalars.
//! require cooperativeMatrix
//! require matrix 16 16 16 f32 f32 f32 f32
//! buffer results f32[768] binding 0
//! spec 0 = f32 2.5
//! push f32 -7
//! subgroup 32 full
//! dispatch 1
//! expect results[0..256] = 1.25
//! expect results[256..512] = 2.5
//! expect results[512..768] = -7
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
layout(local_size_x = 32) in;
layout(constant_id = 0) const float kValue = 1;
layout(push_constant) uniform Push { float scalar; };
layout(binding = 0) writeonly buffer Results { float results[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;
#define MATRIX coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>

const MATRIX kConstant = MATRIX(1.25);

void main() {
  coopMatStore(kConstant, results, 0, 16, row);
  coopMatStore(MATRIX(kValue), results, 256, 16, row);
  coopMatStore(MATRIX(scalar), results, 512, 16, row);
}
