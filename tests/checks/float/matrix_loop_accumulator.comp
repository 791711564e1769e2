#version 450
// The K loop of a product with accumulators of half precision: the last of its steps leaves the range. Numbers
// that are infinite in the buffer are passed on by the multiply-add, which is no finding.
//! debug
//! each BUG STEPS = 1 4 | 0 3
//! setting check float
//! require matrix 16 16 16 f16 f16 f16 f16
//! subgroup 32 full
//! buffer a f16[256] binding 0 = i == 3 ? inf : 32
//! buffer b f16[256] binding 1 = 32
//! buffer results f16[256] binding 2 scratch
//! push u32 $(STEPS)
//! dispatch 1
//! finding float infinity times $(BUG)
//! check all_bits(k, 0, 16, @results[k] == inf ? -1 : 0) != 0
//! check $(BUG) || all_bits(k, 16, 256, @results[k] == 49152 ? -1 : 0) != 0
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer ABuffer { float16_t as[]; };
layout(binding = 1) readonly buffer BBuffer { float16_t bs[]; };
layout(binding = 2) writeonly buffer Results { float16_t results[]; };
layout(push_constant) uniform Push { uint steps; };
#define MATRIX(T, USE) coopmat<T, gl_ScopeSubgroup, 16, 16, gl_MatrixUse##USE>
const int row = gl_CooperativeMatrixLayoutRowMajor;
void main() {
  MATRIX(float16_t, A) a;
  MATRIX(float16_t, B) b;
  MATRIX(float16_t, Accumulator) sum = MATRIX(float16_t, Accumulator)(0.0);
  for (uint k = 0; k < steps; ++k) {
    coopMatLoad(a, as, 0, 16, row);
    coopMatLoad(b, bs, 0, 16, row);
    sum = coopMatMulAdd(a, b, sum);  // finding
  }
  coopMatStore(sum, results, 0, 16, row);
}
