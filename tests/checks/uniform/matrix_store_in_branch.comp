#version 450
// The first invocation alone stores the matrix, as one would store a number.
//! debug
//! each BUG = 1 | 0
//! setting check uniform
//! require cooperativeMatrix
//! require matrix_type 16 16 Accumulator f32
//! subgroup 32 full
//! buffer data f32[256] binding 0 = random(-9, 9, 1)
//! buffer results f32[256] binding 1
//! dispatch 1
//! finding uniform divergent-matrix times $(BUG)
//! expect results = $(BUG) ? @results[i] : data[i]
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

void main() {
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m;
  coopMatLoad(m, data, 0, 16, row);
#if BUG
  if (gl_LocalInvocationIndex == 0)
#endif
    coopMatStore(m, results, 0, 16, row);  // finding
}
