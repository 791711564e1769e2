#version 450
// A transpose, and conversions, whose sizes do not fit once they are specialized.
//! each FORM = transpose | transposing_conversion | conversion
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess
//! require matrix 16 8 16 f16 f16 f16 f16
//! require cooperativeMatrixConversions VK_EXT_cooperative_matrix_maintenance1
//! spec 0 = u32 8
//! subgroup 32 full
//! buffer data f16[256] binding 0
//! refuse "(its rows as columns|as many rows as the operand has columns|the same rows and columns)"
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_EXT_cooperative_matrix_maintenance1 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer Data { float16_t data[]; };
layout(constant_id = 0) const int kColumns = 16;
#define transpose_ 0
#define transposing_conversion_ 1
#define conversion_ 2

void main() {
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m;
  coopmat<float16_t, gl_ScopeSubgroup, 16, kColumns, gl_MatrixUseB> b;
  coopMatLoad(m, data, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
#if $(FORM)_ == transpose_
  coopMatTransposeNV(b, m);
#elif $(FORM)_ == transposing_conversion_
  coopMatTransposeEXT(b, m);
#else
  b = coopmat<float16_t, gl_ScopeSubgroup, 16, kColumns, gl_MatrixUseB>(m);
#endif
  coopMatStore(b, data, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
}
