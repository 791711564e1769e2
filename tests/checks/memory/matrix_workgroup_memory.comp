#version 450
// A tile in Workgroup memory that lacks a row: the load leaves the variable.
//! debug
//! each BUG = 1 | 0
//! setting check memory
//! require matrix 16 16 16 f32 f32 f32 f32
//! subgroup 32 full
//! buffer a f32[256] binding 0 = 1 + i
//! buffer results f32[256] binding 1
//! dispatch 1
//! finding memory matrix-bounds times $(BUG) "load"
//! expect results = i >= 240 && $(BUG) ? 0 : 1 + i
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };
const uint rows = 16 - BUG;
shared float tile[16 * rows];

void main() {
  for (uint k = gl_LocalInvocationIndex; k < 16 * rows; k += 32) tile[k] = a[k];
  barrier();
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m;
  coopMatLoad(m, tile, 0, 16, gl_CooperativeMatrixLayoutRowMajor);  // finding
  coopMatStore(m, results, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
}
