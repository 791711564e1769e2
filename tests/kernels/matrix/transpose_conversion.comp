#version 450
// Conversions of accumulators that transpose on the way: into A and B, to the same and to other
// types, which are rounded as without.
//! each USE = A | B
//! each TYPE T = f32 float | f16 float16_t | s32 int | e5m2 floate5m2_t
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess
//! require storageBuffer8BitAccess shaderFloat8CooperativeMatrix
//! require VK_EXT_cooperative_matrix_maintenance1
//! require matrix_type 16 16 Accumulator f32
//! require matrix_type 16 16 $(USE) $(TYPE)
//! subgroup 32 full
//! buffer data f32[256] binding 0 = random(-100.0, 100.0, 1)
//! buffer turned $(TYPE)[256] binding 1
//! dispatch 1
//! expect turned = data[i % 16 * 16 + i / 16]
#extension GL_KHR_cooperative_matrix : require
#extension GL_EXT_cooperative_matrix_maintenance1 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_float_e5m2 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Turned { T turned[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

void main() {
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m;
  coopmat<T, gl_ScopeSubgroup, 16, 16, gl_MatrixUse$(USE)> operand;
  coopMatLoad(m, data, 0, 16, row);
  coopMatTransposeEXT(operand, m);
  coopMatStore(operand, turned, 0, 16, row);
}
