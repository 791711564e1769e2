#version 450
// A block of a wider matrix that begins too far to the right: only the end of its last row is past
// the end of the buffer.
//! debug
//! each BUG = 1 | 0
//! setting check memory
//! require matrix 16 16 16 f32 f32 f32 f32
//! subgroup 32 full
//! buffer a f32[320] binding 0 = 1 + i
//! buffer results f32[256] binding 1
//! push u32 4 + 4 * $(BUG)
//! dispatch 1
//! finding memory matrix-bounds times $(BUG) "load"
//! expect results = i >= 252 && $(BUG) ? 0 : 5 + 4 * $(BUG) + i / 16 * 20 + i % 16
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };
layout(push_constant) uniform Push { uint column; };

void main() {
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m;
  coopMatLoad(m, a, column, 20, gl_CooperativeMatrixLayoutRowMajor);  // finding
  coopMatStore(m, results, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
}
