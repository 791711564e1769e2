#version 450
// A matrix size that becomes wrong by specialization: 16x16x16 in the module, 17 rows in the pipeline.
//! require cooperativeMatrix
//! spec 0 = u32 17
//! subgroup 32 full
//! buffer data u32[1024] binding 0
//! refuse "17"
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(constant_id = 0) const uint kRows = 16;
layout(binding = 0) buffer Data { float data[]; };

void main() {
  coopmat<float, gl_ScopeSubgroup, kRows, 16, gl_MatrixUseAccumulator> m;
  coopMatLoad(m, data, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopMatStore(m + m, data, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
}
