#version 450
// Half of a subgroup loads a matrix, all of it stores. Its length may be asked for anywhere.
//! debug
//! each BUG = 1 | 0
//! setting check uniform
//! require cooperativeMatrix
//! require matrix_type 16 16 Accumulator f32
//! subgroup 32 full
//! buffer data f32[256] binding 0 = random(-9, 9, 1)
//! buffer results f32[256] binding 1
//! buffer lengths u32[32] binding 2
//! dispatch 1
//! finding uniform divergent-matrix times $(BUG)
//! expect results = $(BUG) ? @results[i] : data[i]
//! expect lengths = i < 16 ? 8 : 0
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };
layout(binding = 2) writeonly buffer Lengths { uint lengths[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

void main() {
  uint i = gl_LocalInvocationIndex, length = 0;
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m =
      coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(0.0);
#if !BUG
  coopMatLoad(m, data, 0, 16, row);
#endif
  if (i < 16) {
    length = m.length();
#if BUG
    coopMatLoad(m, data, 0, 16, row);  // finding
#endif
  }
  coopMatStore(m, results, 0, 16, row);
  lengths[i] = length;
}
