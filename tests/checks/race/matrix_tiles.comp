#version 450
// Each workgroup stores its tile of a matrix in device memory. Where tiles are four columns too
// close, two workgroups store to the same elements.
//! debug
//! each BUG STEP = 1 12 | 0 16
//! setting check race
//! require cooperativeMatrix
//! require matrix_type 16 16 Accumulator f32
//! subgroup 32 full
//! buffer results f32[1024] binding 0 = 0
//! dispatch 4
//! finding race device-memory times $(BUG)
//! expect results = $(BUG) ? @results[i] : i % 64 / 16
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 32) in;
layout(binding = 0) writeonly buffer Results { float results[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

void main() {
  uint g = gl_WorkGroupID.x;
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m =
      coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(float(g));
  coopMatStore(m, results, STEP * g, 64, row);  // finding
}
