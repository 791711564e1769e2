#version 450
// A matrix is set element by element, but for the last of each invocation.
//! debug
//! each BUG = 1 | 0
//! setting check uninit
//! require matrix 16 16 16 f16 f16 f32 f32
//! subgroup 32 full
//! buffer results f32[256] binding 0 scratch
//! dispatch 1
//! finding uninit uninit-store times $(BUG)
//! check $(BUG) || all_bits(k, 0, 256, @results[k] == 6 ? -1 : 0) != 0
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(local_size_x = 32) in;
layout(binding = 0) writeonly buffer Results { float results[]; };
#define MATRIX(T, USE) coopmat<T, gl_ScopeSubgroup, 16, 16, gl_MatrixUse##USE>
const int row = gl_CooperativeMatrixLayoutRowMajor;
void main() {
  MATRIX(float, Accumulator) m;
  for (int k = 0; k < m.length() - BUG; ++k) m[k] = 3.0;
  m = m + m;
  coopMatStore(m, results, 0, 16, row);  // finding
}
