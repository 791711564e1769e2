#version 450
// The result of one product, converted and passed through shared memory, is an operand of the next.
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess
//! require matrix 16 16 16 f16 f16 f32 f32
//! subgroup 32 full
//! buffer a f16[256] binding 0 = random(-3, 3, 1)
//! buffer b f16[256] binding 1 = i % 17 == 0 ? 2 : i % 17 == 1 ? 1 : 0
//! buffer ab f16[256] = sum(k, 0, 16, a[i / 16 * 16 + k] * b[k * 16 + i % 16])
//! buffer d f32[256] binding 2
//! dispatch 1
//! matmul d(16, 16) = ab(16, 16) * b(16, 16)
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer ABuffer { float16_t a[]; };
layout(binding = 1) readonly buffer BBuffer { float16_t b[]; };
layout(binding = 2) writeonly buffer DBuffer { float d[]; };
shared float16_t stage[256];
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;
#define ACCUMULATOR(T) coopmat<T, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>

void main() {
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> x;
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> y;
  coopMatLoad(x, a, 0, 16, row);
  coopMatLoad(y, b, 0, 16, row);
  ACCUMULATOR(float) first = coopMatMulAdd(x, y, ACCUMULATOR(float)(0.0));
  coopMatStore(ACCUMULATOR(float16_t)(first), stage, 0, 16, row);
  barrier();
  coopMatLoad(x, stage, 0, 16, row);
  coopMatStore(coopMatMulAdd(x, y, ACCUMULATOR(float)(0.0)), d, 0, 16, row);
}
