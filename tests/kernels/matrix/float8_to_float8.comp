#version 450
// Matrices from one 8-bit format to the other.
//! each FROM TO GF GT = e4m3 e5m2 floate4m3_t floate5m2_t | e5m2 e4m3 floate5m2_t floate4m3_t
//! each USE = A | B | Accumulator
//! require cooperativeMatrix shaderFloat8CooperativeMatrix storageBuffer8BitAccess
//! subgroup 32 full
//! buffer codes $(FROM)[256] binding 0
//! fill codes.u8 = i
//! buffer result $(TO)[256] binding 1
//! dispatch 1
//! expect result = codes[i]
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_float_e4m3 : require
#extension GL_EXT_float_e5m2 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Codes { GF codes[]; };
layout(binding = 1) writeonly buffer Result { GT result[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

void main() {
  coopmat<GF, gl_ScopeSubgroup, 16, 16, gl_MatrixUse$(USE)> m;
  coopMatLoad(m, codes, 0, 16, row);
  coopMatStore(coopmat<GT, gl_ScopeSubgroup, 16, 16, gl_MatrixUse$(USE)>(m), result, 0, 16, row);
}
