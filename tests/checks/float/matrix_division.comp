#version 450
// Matrices are divided element by element, and one divisor is 0 where the dividend is, too.
//! debug
//! each BUG ZERO = 1 0 | 0 1
//! setting check float
//! require matrix 16 16 16 f16 f16 f32 f32
//! subgroup 32 full
//! buffer data f32[256] binding 0 = i
//! buffer divisors f32[256] binding 1 = i == 0 ? $(ZERO) : 2
//! buffer results f32[256] binding 2 scratch
//! dispatch 1
//! finding float nan times $(BUG)
//! check all_bits(k, 1, 256, @results[k] == k * 0.5 ? -1 : 0) != 0
//! check $(BUG) || @results[0] == 0
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) readonly buffer Divisors { float divisors[]; };
layout(binding = 2) writeonly buffer Results { float results[]; };
#define MATRIX(T, USE) coopmat<T, gl_ScopeSubgroup, 16, 16, gl_MatrixUse##USE>
const int row = gl_CooperativeMatrixLayoutRowMajor;
void main() {
  MATRIX(float, Accumulator) a, b;
  coopMatLoad(a, data, 0, 16, row);
  coopMatLoad(b, divisors, 0, 16, row);
  MATRIX(float, Accumulator) quotient = a / b;  // finding
  coopMatStore(quotient, results, 0, 16, row);
}
