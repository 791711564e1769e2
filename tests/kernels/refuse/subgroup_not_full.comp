#version 450
// Workgroups whose last subgroup is not full cannot hold matrices: some components would be nobody's.
//! require cooperativeMatrix
//! each SIZE X Y = half 16 1 | one_and_a_half 48 1 | rows 12 4 | one 1 1
//! subgroup 32
//! buffer data f32[256] binding 0
//! refuse "last subgroup of a workgroup of $(X) x $(Y) x 1 is not full .*-module-08987"
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = X, local_size_y = Y) in;
layout(binding = 0) buffer Data { float data[]; };

void main() {
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m;
  coopMatLoad(m, data, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopMatStore(m + m, data, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
}
