#version 450
// The tile that one dispatch stores is loaded as a matrix by the next one, without a barrier
// between. Right is the tile beside it.
//! debug
//! each BUG COLUMN = 1 0 | 0 16
//! setting check race
//! require cooperativeMatrix
//! require matrix_type 16 16 Accumulator f32
//! subgroup 32 full
//! buffer data f32[512] binding 0 = i
//! buffer results f32[256] binding 1
//! push u32 0
//! dispatch 1
//! push u32 1
//! dispatch 1 unordered
//! finding race commands times $(BUG)
//! expect data = i % 32 < 16 ? 7 : i
//! expect results = $(BUG) ? @results[i] : i / 16 * 32 + 16 + i % 16
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };
layout(push_constant) uniform Push { uint command; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

void main() {
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m;
  if (command == 0) {
    m = coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(7.0);
    coopMatStore(m, data, 0, 32, row);  // finding
  } else {
    coopMatLoad(m, data, COLUMN, 32, row);  // finding
    coopMatStore(m, results, 0, 16, row);
  }
}
