#version 450
// One element of a matrix that was set in part is read: an even one has a value, an odd one has none.
//! debug
//! each BUG = 1 | 0
//! setting check uninit
//! require matrix 16 16 16 f16 f16 f32 f32
//! subgroup 32 full
//! buffer results u32[32] binding 0 scratch = 9
//! dispatch 1
//! finding uninit uninit-branch times $(BUG)
//! check $(BUG) || all_bits(k, 0, 32, @results[k] == 1 ? -1 : 0) != 0
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(local_size_x = 32) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };
#define MATRIX(T, USE) coopmat<T, gl_ScopeSubgroup, 16, 16, gl_MatrixUse##USE>
const int row = gl_CooperativeMatrixLayoutRowMajor;
void main() {
  MATRIX(float, Accumulator) m;
  for (int k = 0; k < m.length(); k += 2) m[k] = 3.0;
  uint result = 0;
  if (m[2 + BUG] > 2.0) result = 1;  // finding
  results[gl_LocalInvocationID.x] = result;
}
