#version 450
// A matrix product is added to accumulators that were never set. The twin has such accumulators, too, but
// does not use them.
//! debug
//! each BUG = 1 | 0
//! setting check uninit
//! require matrix 16 16 16 f16 f16 f32 f32
//! subgroup 32 full
//! buffer ones f16[256] binding 0 = 1
//! buffer results f32[256] binding 1 scratch
//! dispatch 1
//! finding uninit uninit-store times $(BUG)
//! check $(BUG) || all_bits(k, 0, 256, @results[k] == 16 ? -1 : 0) != 0
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Ones { float16_t ones[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };
#define MATRIX(T, USE) coopmat<T, gl_ScopeSubgroup, 16, 16, gl_MatrixUse##USE>
const int row = gl_CooperativeMatrixLayoutRowMajor;
void main() {
  MATRIX(float16_t, A) a;
  MATRIX(float16_t, B) b;
  coopMatLoad(a, ones, 0, 16, row);
  coopMatLoad(b, ones, 0, 16, row);
  MATRIX(float, Accumulator) sums[2];
  sums[1] = MATRIX(float, Accumulator)(0.0);
  sums[1 - BUG] = coopMatMulAdd(a, b, sums[1 - BUG]);
  coopMatStore(sums[1 - BUG], results, 0, 16, row);  // finding
}
