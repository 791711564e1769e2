#version 450
// Infinities and NaN spread through a product; subnormal f16 inputs are not flushed.
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess
//! require matrix 16 16 16 f16 f16 f32 f32
//! subgroup 32 full
//! buffer a f16[256] binding 0 = i / 16 == 0 ? (i == 3 ? inf : 1.0) : i / 16 == 1 ? (i == 20 ? nan : 1.0)
//!+  : i / 16 == 2 ? from_bits_f16(1) : i == 16 * 3 ? 65504.0 : 0.0
//! buffer b f16[256] binding 1 = 1.0
//! buffer d f32[256] binding 2
//! dispatch 1
//! expect d[0..16] = inf
//! expect d[16..32] = nan
//! expect d[32..48] = 16 * from_bits_f16(1)
//! expect d[48..64] = 65504
//! expect d[64..256] = 0
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
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;

void main() {
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> x;
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> y;
  coopMatLoad(x, a, 0, 16, row);
  coopMatLoad(y, b, 0, 16, row);
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> z =
      coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(0.0);
  coopMatStore(coopMatMulAdd(x, y, z), d, 0, 16, row);
}
