#version 450
// A product of matrices whose accumulators are halves leaves their range.
//! debug
//! each BUG FACTOR = 1 64 | 0 32
//! setting check float
//! require matrix 16 16 16 f16 f16 f16 f16
//! subgroup 32 full
//! buffer data f16[256] binding 0 = $(FACTOR)
//! buffer results f16[256] binding 1 scratch
//! dispatch 1
//! finding float infinity times $(BUG)
//! check $(BUG) || all_bits(k, 0, 256, @results[k] == 16384 ? -1 : 0) != 0
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Data { float16_t data[]; };
layout(binding = 1) writeonly buffer Results { float16_t results[]; };
#define MATRIX(T, USE) coopmat<T, gl_ScopeSubgroup, 16, 16, gl_MatrixUse##USE>
const int row = gl_CooperativeMatrixLayoutRowMajor;
void main() {
  MATRIX(float16_t, A) a;
  MATRIX(float16_t, B) b;
  coopMatLoad(a, data, 0, 16, row);
  coopMatLoad(b, data, 0, 16, row);
  MATRIX(float16_t, Accumulator) sum = MATRIX(float16_t, Accumulator)(0.0);
  sum = coopMatMulAdd(a, b, sum);  // finding
  coopMatStore(sum, results, 0, 16, row);
}
