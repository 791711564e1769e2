#version 450
// Sizes that are multiples of 8 or of 32, none of them the same, in the scope of a subgroup and in that
// of workgroups. (Results of 8-bit floats, rounded once, are those of narrow_results.comp; components of
// 64 bits are those of flexible_64_bits.spvasm.)
//! each ROW A B C GA GB GC FEATURE
//!+  = f16_f32 f16 f16 f32 float16_t float16_t float shaderFloat16
//!+  | f16_f16 f16 f16 f16 float16_t float16_t float16_t shaderFloat16
//!+  | bf16_f32 bf16 bf16 f32 bfloat16_t bfloat16_t float shaderBFloat16CooperativeMatrix
//!+  | bf16_bf16 bf16 bf16 bf16 bfloat16_t bfloat16_t bfloat16_t shaderBFloat16CooperativeMatrix
//!+  | f32_f32 f32 f32 f32 float float float cooperativeMatrix
//!+  | e4m3_f32 e4m3 e4m3 f32 floate4m3_t floate4m3_t float shaderFloat8CooperativeMatrix
//!+  | e5m2_f16 e5m2 e5m2 f16 floate5m2_t floate5m2_t float16_t shaderFloat8CooperativeMatrix
//!+  | s8_s32 s8 s8 s32 int8_t int8_t int shaderInt8
//!+  | u8_u32 u8 u8 u32 uint8_t uint8_t uint shaderInt8
//!+  | u8_s32 u8 u8 s32 uint8_t uint8_t int shaderInt8
//!+  | s32_s32 s32 s32 s32 int int int cooperativeMatrix
//!+  | u32_u32 u32 u32 u32 uint uint uint cooperativeMatrix
//!+  | s8_s8 s8 s8 s8 int8_t int8_t int8_t shaderInt8
//!+  | u16_u16 u16 u16 u16 uint16_t uint16_t uint16_t shaderInt16
//!+  | u8_s8_s32 u8 s8 s32 uint8_t int8_t int shaderInt8
//!+  | s8_u8_s32 s8 u8 s32 int8_t uint8_t int shaderInt8
//!+  | s16_s32 s16 s16 s32 int16_t int16_t int shaderInt16
//!+  | u16_u32 u16 u16 u32 uint16_t uint16_t uint shaderInt16
//!+  | s32_s8 s32 s32 s8 int int int8_t shaderInt8
//!+  | u32_u8 u32 u32 u8 uint uint uint8_t shaderInt8
//!+  | f32_f16 f32 f32 f16 float float float16_t shaderFloat16
//!+  | f32_bf16 f32 f32 bf16 float float bfloat16_t shaderBFloat16CooperativeMatrix
//! each HOLDER SCOPE X HELD M N K = subgroup gl_ScopeSubgroup 32 0 8 24 40
//!+  | workgroup_of_128 gl_ScopeWorkgroup 128 128 16 48 64
//!+  | workgroup_of_256 gl_ScopeWorkgroup 256 256 72 40 8
//!+  | subgroup_of_32s gl_ScopeSubgroup 32 0 32 96 64
//!+  | workgroup_of_256_and_32s gl_ScopeWorkgroup 256 256 64 96 32
//! require cooperativeMatrixFlexibleDimensions cooperativeMatrixWorkgroupScope
//! require $(FEATURE) storageBuffer16BitAccess storageBuffer8BitAccess
//! require matrix $(M) $(N) $(K) $(A) $(B) $(C) $(C) invocations $(HELD)
//! subgroup 32 full
//! buffer a $(A)[$(M) * $(K)] binding 0 = random(-20.0, 20.0, 1)
//! buffer b $(B)[$(K) * $(N)] binding 1 = random(-20.0, 20.0, 2)
//! buffer c $(C)[$(M) * $(N)] binding 2 = random(-100.0, 100.0, 3)
//! buffer d $(C)[$(M) * $(N)] binding 3
//! dispatch 1
//! matmul d($(M), $(N) row) = a($(M), $(K) row) * b($(K), $(N) column) + c($(M), $(N) row)
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
#extension GL_EXT_float_e4m3 : require
#extension GL_EXT_float_e5m2 : require
layout(local_size_x = X) in;
layout(binding = 0) readonly buffer ABuffer { GA a[]; };
layout(binding = 1) readonly buffer BBuffer { GB b[]; };
layout(binding = 2) readonly buffer CBuffer { GC c[]; };
layout(binding = 3) writeonly buffer DBuffer { GC d[]; };

void main() {
  coopmat<GA, SCOPE, M, K, gl_MatrixUseA> x;
  coopmat<GB, SCOPE, K, N, gl_MatrixUseB> y;
  coopmat<GC, SCOPE, M, N, gl_MatrixUseAccumulator> z;
  coopMatLoad(x, a, 0, K, gl_CooperativeMatrixLayoutRowMajor);
  coopMatLoad(y, b, 0, K, gl_CooperativeMatrixLayoutColumnMajor);
  coopMatLoad(z, c, 0, N, gl_CooperativeMatrixLayoutRowMajor);
  coopMatStore(coopMatMulAdd(x, y, z), d, 0, N, gl_CooperativeMatrixLayoutRowMajor);
}
