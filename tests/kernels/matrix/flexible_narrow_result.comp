#version 450
// Products of flexible sizes whose result has fewer bytes than their factors: small, with a result
// that is large where the factors are not, and large throughout.
//! each SIZE M N K = 16x16x16 16 16 16 | 32x32x16 32 32 16 | 64x24x8 64 24 8 | 48x40x32 48 40 32
//! each ROW T R GT GR LOW HIGH CLOW CHIGH
//!+  = s32_s8 s32 s8 int int8_t -9 9 -128 127
//!+  | u32_u8 u32 u8 uint uint8_t 0 9 0 255
//!+  | f32_f16 f32 f16 float float16_t -2.0 2.0 -2.0 2.0
//!+  | f32_bf16 f32 bf16 float bfloat16_t -2.0 2.0 -2.0 2.0
//!+  | f32_e4m3 f32 e4m3 float floate4m3_t -2.0 2.0 -2.0 2.0
//!+  | f32_e5m2 f32 e5m2 float floate5m2_t -2.0 2.0 -2.0 2.0
//!+  | f16_e4m3 f16 e4m3 float16_t floate4m3_t -2.0 2.0 -2.0 2.0
//!+  | f16_e5m2 f16 e5m2 float16_t floate5m2_t -2.0 2.0 -2.0 2.0
//! require cooperativeMatrix cooperativeMatrixFlexibleDimensions shaderFloat16 shaderInt8
//! require shaderBFloat16CooperativeMatrix shaderFloat8CooperativeMatrix
//! require storageBuffer8BitAccess storageBuffer16BitAccess
//! subgroup 32 full
//! buffer a $(T)[$(M) * $(K)] binding 0 = random($(LOW), $(HIGH), 1)
//! buffer b $(T)[$(K) * $(N)] binding 1 = random($(LOW), $(HIGH), 2)
//! buffer c $(R)[$(M) * $(N)] binding 2 = random($(CLOW), $(CHIGH), 3)
//! buffer d $(R)[$(M) * $(N)] binding 3
//! dispatch 1
//! matmul d($(M), $(N) row) = a($(M), $(K) row) * b($(K), $(N) row) + c($(M), $(N) row)
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
#extension GL_EXT_float_e4m3 : require
#extension GL_EXT_float_e5m2 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer ABuffer { GT a[]; };
layout(binding = 1) readonly buffer BBuffer { GT b[]; };
layout(binding = 2) readonly buffer CBuffer { GR c[]; };
layout(binding = 3) writeonly buffer DBuffer { GR d[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

void main() {
  coopmat<GT, gl_ScopeSubgroup, M, K, gl_MatrixUseA> x;
  coopmat<GT, gl_ScopeSubgroup, K, N, gl_MatrixUseB> y;
  coopmat<GR, gl_ScopeSubgroup, M, N, gl_MatrixUseAccumulator> z;
  coopMatLoad(x, a, 0, K, row);
  coopMatLoad(y, b, 0, N, row);
  coopMatLoad(z, c, 0, N, row);
  z = coopMatMulAdd(x, y, z);
  coopMatStore(z, d, 0, N, row);
}
