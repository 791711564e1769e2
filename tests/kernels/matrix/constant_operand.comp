#version 450
// One operand of a multiply-add is the same number everywhere, known to the compiler or not.
//! each SIZE M N K = 16x8x8 16 8 8 | 16x8x16 16 8 16 | 16x16x16 16 16 16
//! each SIDE CONSTANT OF_LEFT OF_RIGHT = A a 0 1 | B b 1 0
//! each FROM VALUE = literal float16_t(-3) | memory number[0]
//! each SUM T = f16 float16_t | f32 float
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess
//! require matrix $(M) $(N) $(K) f16 f16 $(SUM) $(SUM)
//! subgroup 32 full
//! buffer left f16[$(M) * $(K)] binding 0 = i % 7 - 3
//! buffer right f16[$(K) * $(N)] binding 1 = i % 11 - 5
//! buffer sums $(SUM)[$(M) * $(N)] binding 2 = i % 13
//! buffer number f16[1] binding 3 = -3
//! buffer result $(SUM)[$(M) * $(N)] binding 4
//! dispatch 1
//! expect result = sums[i] - 3 * sum(k, 0, $(K), $(OF_LEFT) * left[i / $(N) * $(K) + k] +
//!+ $(OF_RIGHT) * right[k * $(N) + i % $(N)])
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Left { float16_t left[]; };
layout(binding = 1) readonly buffer Right { float16_t right[]; };
layout(binding = 2) readonly buffer Sums { T sums[]; };
layout(binding = 3) readonly buffer Number { float16_t number[]; };
layout(binding = 4) writeonly buffer Result { T result[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

#define MATRIX_A coopmat<float16_t, gl_ScopeSubgroup, M, K, gl_MatrixUseA>
#define MATRIX_B coopmat<float16_t, gl_ScopeSubgroup, K, N, gl_MatrixUseB>

void main() {
  MATRIX_A a;
  MATRIX_B b;
  coopmat<T, gl_ScopeSubgroup, M, N, gl_MatrixUseAccumulator> sum;
  coopMatLoad(a, left, 0, K, row);
  coopMatLoad(b, right, 0, N, row);
  coopMatLoad(sum, sums, 0, N, row);
  $(CONSTANT) = MATRIX_$(SIDE)($(VALUE));
  coopMatStore(coopMatMulAdd(a, b, sum), result, 0, N, row);
}
