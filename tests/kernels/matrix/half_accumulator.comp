#version 450
// An f16 accumulator rounds once for each multiply-add: 2048 + 1 + 1 stays 2048 in two steps, and
// becomes 2050 in one.
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess
//! require matrix 16 16 16 f16 f16 f16 f16
//! buffer a f16[256] binding 0 = i % 16 == 0 ? 1 : 0
//! buffer ones f16[256] binding 1 = i % 16 < 2 ? 1 : 0
//! buffer b f16[256] binding 2 = 1
//! buffer d f16[512] binding 3
//! subgroup 32 full
//! dispatch 1
//! expect d[0..256] = 2048
//! expect d[256..512] = 2050
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer ABuffer { float16_t a[]; };
layout(binding = 1) readonly buffer Ones { float16_t ones[]; };
layout(binding = 2) readonly buffer BBuffer { float16_t b[]; };
layout(binding = 3) writeonly buffer DBuffer { float16_t d[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;
#define ACCUMULATOR coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>

void main() {
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> x, two;
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> y;
  coopMatLoad(x, a, 0, 16, row);
  coopMatLoad(two, ones, 0, 16, row);
  coopMatLoad(y, b, 0, 16, row);
  ACCUMULATOR sum = ACCUMULATOR(float16_t(2048));
  for (int k = 0; k < 2; ++k) sum = coopMatMulAdd(x, y, sum);
  coopMatStore(sum, d, 0, 16, row);
  coopMatStore(coopMatMulAdd(two, y, ACCUMULATOR(float16_t(2048))), d, 256, 16, row);
}
