#version 450
// An operand that one way of a condition does not load makes a product without a value.
//! debug
//! each BUG = 1 | 0
//! setting check uninit
//! require matrix 16 16 16 f16 f16 f32 f32
//! subgroup 32 full
//! buffer ones f16[256] binding 0 = 1
//! buffer results f32[256] binding 1 scratch
//! push u32 3
//! dispatch 1
//! finding uninit uninit-store times $(BUG)
//! check $(BUG) || all_bits(k, 0, 256, @results[k] == 32 ? -1 : 0) != 0
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Ones { float16_t ones[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };
layout(push_constant) uniform Push { uint count; };
#define MATRIX(T, USE) coopmat<T, gl_ScopeSubgroup, 16, 16, gl_MatrixUse##USE>
const int row = gl_CooperativeMatrixLayoutRowMajor;
void main() {
  MATRIX(float16_t, A) a;
  MATRIX(float16_t, B) b;
  coopMatLoad(a, ones, 0, 16, row);
#if BUG
  if (count < 3) coopMatLoad(b, ones, 0, 16, row);
#else
  if (count <= 3) coopMatLoad(b, ones, 0, 16, row);
#endif
  MATRIX(float, Accumulator) sum = coopMatMulAdd(a, b, MATRIX(float, Accumulator)(0.0));
  coopMatStore(sum * 2.0, results, 0, 16, row);  // finding
}
