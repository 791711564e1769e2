#version 450
// A matrix is stored to a buffer, then the invocations change its first row element by element,
// without a barrier that orders accesses to buffers.
//! debug
//! each BUG STORAGE = 1 gl_StorageSemanticsShared | 0 gl_StorageSemanticsBuffer
//! setting check race
//! require cooperativeMatrix
//! require matrix_type 16 16 Accumulator f32
//! subgroup 32 full
//! buffer results f32[256] binding 0 = 0
//! dispatch 1
//! finding race device-memory times $(BUG)
//! expect results = $(BUG) && i < 16 ? @results[i] : i < 16 ? 100 + i : 3
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 32) in;
layout(binding = 0) coherent buffer Results { float results[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

void main() {
  uint i = gl_LocalInvocationIndex;
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m =
      coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(3.0);
  coopMatStore(m, results, 0, 16, row);  // finding
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, STORAGE, gl_SemanticsAcquireRelease);
  if (i < 16) results[i] = 100.0 + float(i);  // finding
}
