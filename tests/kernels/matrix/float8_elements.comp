#version 450
// Components of 8-bit matrices one by one, matrices of one value, and vectors in memory.
//! each FORMAT G V = e4m3 floate4m3_t fe4m3vec4 | e5m2 floate5m2_t fe5m2vec4
//! each USE = A | B | Accumulator
//! require cooperativeMatrix shaderFloat8CooperativeMatrix shaderInt8 storageBuffer8BitAccess
//! subgroup 32 full
//! buffer codes u8[256] binding 0 = i
//! buffer changed $(FORMAT)[256] binding 1
//! buffer filled $(FORMAT)[256] binding 2
//! dispatch 1
//! expect changed = isnan(from_bits_$(FORMAT)(i)) ? 1 : from_bits_$(FORMAT)(i)
//! expect filled = 1.5
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_float_e4m3 : require
#extension GL_EXT_float_e5m2 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Codes { V codes[]; };
layout(binding = 1) writeonly buffer Changed { V changed[]; };
layout(binding = 2) writeonly buffer Filled { G filled[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;
#define MATRIX coopmat<G, gl_ScopeSubgroup, 16, 16, gl_MatrixUse$(USE)>

const MATRIX kFilled = MATRIX(G(1.5));

void main() {
  MATRIX m;
  coopMatLoad(m, codes, 0, 4, column);
  for (int k = 0; k < m.length(); ++k)
    if (isnan(float(m[k]))) m[k] = G(1);
  coopMatStore(m, changed, 0, 4, column);
  coopMatStore(kFilled, filled, 0, 16, row);
}
