#version 450
// Matrices of integers are divided element by element, and one divisor is 0.
//! debug
//! each BUG ZERO = 1 0 | 0 5
//! setting check float
//! require matrix 16 16 16 s8 s8 s32 s32
//! subgroup 32 full
//! buffer data s32[256] binding 0 = i - 100
//! buffer divisors s32[256] binding 1 = i == 200 ? $(ZERO) : 2
//! buffer results s32[256] binding 2 scratch
//! dispatch 1
//! finding float division times $(BUG)
//! check all_bits(k, 0, 200, @results[k] == (k - 100) / 2 ? -1 : 0) != 0
//! check $(BUG) || @results[200] == 20
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Data { int data[]; };
layout(binding = 1) readonly buffer Divisors { int divisors[]; };
layout(binding = 2) writeonly buffer Results { int results[]; };
#define MATRIX(T, USE) coopmat<T, gl_ScopeSubgroup, 16, 16, gl_MatrixUse##USE>
const int row = gl_CooperativeMatrixLayoutRowMajor;
void main() {
  MATRIX(int, Accumulator) a, b;
  coopMatLoad(a, data, 0, 16, row);
  coopMatLoad(b, divisors, 0, 16, row);
  MATRIX(int, Accumulator) quotient = a / b;  // finding
  coopMatStore(quotient, results, 0, 16, row);
}
