#version 450
// A store, in a function, with twice the stride that the buffer has room for. After the tests Store
// and Function of GPU-assisted validation's cooperative matrices.
//! debug
//! each BUG = 1 | 0
//! setting check memory
//! require matrix 16 16 16 f32 f32 f32 f32
//! subgroup 32 full
//! buffer a f32[256] binding 0 = 1 + i
//! buffer results f32[256] binding 1 = -1
//! push u32 16 + 16 * $(BUG)
//! dispatch 1
//! finding memory matrix-bounds times $(BUG) "store"
//! expect results = !$(BUG) ? 1 + i : i % 32 < 16 ? 1 + i / 32 + i % 32 * 16 : -1
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };
layout(push_constant) uniform Push { uint stride; };
#if BUG
const int order = gl_CooperativeMatrixLayoutColumnMajor;
#else
const int order = gl_CooperativeMatrixLayoutRowMajor;
#endif

void store(coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m) {
  coopMatStore(m, results, 0, stride, order);  // finding
}

void main() {
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m;
  coopMatLoad(m, a, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  store(m);
}
