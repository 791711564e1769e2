#version 450
// Invocations return where their own row is past the end, and the rest goes on with the matrix.
//! debug
//! each BUG = 1 | 0
//! setting check uniform
//! require cooperativeMatrix
//! require matrix_type 16 16 Accumulator f32
//! subgroup 32 full
//! buffer results f32[768] binding 0 = 0
//! push u32 40
//! dispatch 3
//! finding uniform divergent-matrix times $(BUG)
//! expect results = $(BUG) && i / 256 == 1 ? @results[i] : i < 512 ? 5 : 0
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 32) in;
layout(binding = 0) writeonly buffer Results { float results[]; };
layout(push_constant) uniform Push { uint count; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

void main() {
#if BUG
  if (gl_GlobalInvocationID.x >= count) return;
#else
  if (32 * gl_WorkGroupID.x >= count) return;
#endif
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m =
      coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(5.0);
  coopMatStore(m, results, 256 * gl_WorkGroupID.x, 16, row);  // finding
}
