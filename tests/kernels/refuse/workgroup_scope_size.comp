#version 450
// Workgroups that must not hold a matrix: not of whole subgroups in x, and not of a power of two of
// subgroups.
//! require cooperativeMatrix
//! require cooperativeMatrixWorkgroupScope
//! subgroup 32 full
//! buffer data u32[1024] binding 0
//! each SIZE X Y = narrow 16 4 | odd 96 1
//! refuse "workgroup of $(X) x $(Y) x 1 cannot hold .*-module-10169"
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = X, local_size_y = Y) in;
layout(binding = 0) buffer Data { float data[]; };

void main() {
  coopmat<float, gl_ScopeWorkgroup, 16, 16, gl_MatrixUseAccumulator> m;
  coopMatLoad(m, data, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopMatStore(m + m, data, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
}
