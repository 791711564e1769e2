#version 450
// A matrix of f32 becomes one of f16, which cannot hold one of its elements.
//! debug
//! each BUG LARGE = 1 80000 | 0 60000
//! setting check float
//! require matrix 16 16 16 f16 f16 f32 f32
//! require matrix_type 16 16 Accumulator f16
//! subgroup 32 full
//! buffer data f32[256] binding 0 = i == 77 ? $(LARGE) : i
//! buffer results f16[256] binding 1 scratch
//! dispatch 1
//! finding float infinity times $(BUG)
//! check all_bits(k, 0, 256, k == 77 || @results[k] == k ? -1 : 0) != 0
//! check $(BUG) || @results[77] == 60000
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Results { float16_t results[]; };
#define MATRIX(T, USE) coopmat<T, gl_ScopeSubgroup, 16, 16, gl_MatrixUse##USE>
const int row = gl_CooperativeMatrixLayoutRowMajor;
void main() {
  MATRIX(float, Accumulator) wide;
  coopMatLoad(wide, data, 0, 16, row);
  MATRIX(float16_t, Accumulator) narrow = MATRIX(float16_t, Accumulator)(wide);  // finding
  coopMatStore(narrow, results, 0, 16, row);
}
