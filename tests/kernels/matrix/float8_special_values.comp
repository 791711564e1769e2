#version 450
// Infinities, NaN and subnormal numbers of 8-bit operands in a product.
//! each FORMAT G INFINITY = e4m3 floate4m3_t nan | e5m2 floate5m2_t inf
//! require cooperativeMatrix shaderFloat8CooperativeMatrix storageBuffer8BitAccess
//! require matrix 16 16 16 $(FORMAT) $(FORMAT) f32 f32
//! subgroup 32 full
//! buffer a $(FORMAT)[256] binding 0 = i / 16 == 0 ? (i == 3 ? inf : 1.0) : i / 16 == 1 ? (i == 20 ? nan : 1.0)
//!+  : i / 16 == 2 ? from_bits_$(FORMAT)(1) : i == 16 * 3 ? from_bits_$(FORMAT)(0x7b) : 0.0
//! buffer b $(FORMAT)[256] binding 1 = 1.0
//! buffer d f32[256] binding 2
//! dispatch 1
//! expect d[0..16] = $(INFINITY)
//! expect d[16..32] = nan
//! expect d[32..48] = 16 * from_bits_$(FORMAT)(1)
//! expect d[48..64] = from_bits_$(FORMAT)(0x7b)
//! expect d[64..256] = 0
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_float_e4m3 : require
#extension GL_EXT_float_e5m2 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer ABuffer { G a[]; };
layout(binding = 1) readonly buffer BBuffer { G b[]; };
layout(binding = 2) writeonly buffer DBuffer { float d[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

void main() {
  coopmat<G, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> x;
  coopmat<G, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> y;
  coopMatLoad(x, a, 0, 16, row);
  coopMatLoad(y, b, 0, 16, row);
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> z =
      coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(0.0);
  coopMatStore(coopMatMulAdd(x, y, z), d, 0, 16, row);
}
