#version 450
// The last rows of an operand, and the last columns of the other, are padding that nobody has filled. What they
// make of a product is left out of the result, which is scaled element by element and goes through shared memory.
//! debug
//! each BUG = 1 | 0
//! setting check uninit
//! require matrix 16 16 16 f16 f16 f32 f32
//! subgroup 32 full
//! buffer results f32[256] binding 0 scratch = 9
//! dispatch 1
//! finding uninit uninit-store times $(BUG)
//! check all_bits(k, 0, 256, @results[k] == (k / 16 < 13 && k % 16 < 15 ? 32 : 9) || ($(BUG) && k / 16 == 13) ? -1 : 0) != 0
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(local_size_x = 32) in;
layout(binding = 0) writeonly buffer Results { float results[]; };
#define MATRIX(T, USE) coopmat<T, gl_ScopeSubgroup, 16, 16, gl_MatrixUse##USE>
const int row = gl_CooperativeMatrixLayoutRowMajor;
shared float16_t left[256], right[256];
shared float product[256];
void main() {
  for (uint k = gl_LocalInvocationID.x; k < 256; k += 32) {
    if (k / 16 < 13) left[k] = float16_t(1);
    if (k % 16 < 15) right[k] = float16_t(1);
  }
  barrier();
  MATRIX(float, Accumulator) sum = MATRIX(float, Accumulator)(0.0);
  for (int step = 0; step < 2; ++step) {
    MATRIX(float16_t, A) a;
    MATRIX(float16_t, B) b;
    coopMatLoad(a, left, 0, 16, row);
    coopMatLoad(b, right, 0, 16, row);
    sum = coopMatMulAdd(a, b, sum);
  }
  sum = sum * 0.5;
  for (int k = 0; k < sum.length(); ++k) sum[k] = sum[k] + sum[k];
  coopMatStore(sum, product, 0, 16, row);
  barrier();
  for (uint k = gl_LocalInvocationID.x; k < 256; k += 32)
    if (k / 16 < 13 + BUG && k % 16 < 15) results[k] = product[k];  // finding
}
