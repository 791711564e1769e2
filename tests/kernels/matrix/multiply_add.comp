#version 450
// One multiply-add of every supported row, with A, B and the accumulator in both layouts. (Those with
// 8-bit floats as results are in narrow_results.comp.)
//! each ROW M N K A B C GA GB GC FEATURE = f16_f32 16 16 16 f16 f16 f32 float16_t float16_t float shaderFloat16
//!+  | f16_f16 16 16 16 f16 f16 f16 float16_t float16_t float16_t shaderFloat16
//!+  | bf16_f32 16 16 16 bf16 bf16 f32 bfloat16_t bfloat16_t float shaderBFloat16CooperativeMatrix
//!+  | s8_s32_16x16x32 16 16 32 s8 s8 s32 int8_t int8_t int shaderInt8
//!+  | u8_u32_16x16x32 16 16 32 u8 u8 u32 uint8_t uint8_t uint shaderInt8
//!+  | u8_s32_16x16x32 16 16 32 u8 u8 s32 uint8_t uint8_t int shaderInt8
//!+  | u8_s8_s32_16x16x32 16 16 32 u8 s8 s32 uint8_t int8_t int shaderInt8
//!+  | s8_u8_s32_16x16x32 16 16 32 s8 u8 s32 int8_t uint8_t int shaderInt8
//!+  | s8_s32 16 16 16 s8 s8 s32 int8_t int8_t int shaderInt8
//!+  | u8_u32 16 16 16 u8 u8 u32 uint8_t uint8_t uint shaderInt8
//!+  | u8_s32 16 16 16 u8 u8 s32 uint8_t uint8_t int shaderInt8
//!+  | u8_s8_s32 16 16 16 u8 s8 s32 uint8_t int8_t int shaderInt8
//!+  | s8_u8_s32 16 16 16 s8 u8 s32 int8_t uint8_t int shaderInt8
//!+  | f32_f32 16 16 16 f32 f32 f32 float float float cooperativeMatrix
//!+  | bf16_bf16 16 16 16 bf16 bf16 bf16 bfloat16_t bfloat16_t bfloat16_t shaderBFloat16CooperativeMatrix
//!+  | e4m3_f32 16 16 16 e4m3 e4m3 f32 floate4m3_t floate4m3_t float shaderFloat8CooperativeMatrix
//!+  | e4m3_f16 16 16 16 e4m3 e4m3 f16 floate4m3_t floate4m3_t float16_t shaderFloat8CooperativeMatrix
//!+  | e5m2_f32 16 16 16 e5m2 e5m2 f32 floate5m2_t floate5m2_t float shaderFloat8CooperativeMatrix
//!+  | e5m2_f16 16 16 16 e5m2 e5m2 f16 floate5m2_t floate5m2_t float16_t shaderFloat8CooperativeMatrix
//!+  | s16_s32 16 16 16 s16 s16 s32 int16_t int16_t int shaderInt16
//!+  | u16_u32 16 16 16 u16 u16 u32 uint16_t uint16_t uint shaderInt16
//!+  | s32_s32 16 16 16 s32 s32 s32 int int int cooperativeMatrix
//!+  | u32_u32 16 16 16 u32 u32 u32 uint uint uint cooperativeMatrix
//!+  | s8_s8 16 16 16 s8 s8 s8 int8_t int8_t int8_t shaderInt8
//!+  | u8_u8 16 16 16 u8 u8 u8 uint8_t uint8_t uint8_t shaderInt8
//!+  | s16_s16 16 16 16 s16 s16 s16 int16_t int16_t int16_t shaderInt16
//!+  | u16_u16 16 16 16 u16 u16 u16 uint16_t uint16_t uint16_t shaderInt16
//!+  | s32_s8 16 16 16 s32 s32 s8 int int int8_t shaderInt8
//!+  | u32_u8 16 16 16 u32 u32 u8 uint uint uint8_t shaderInt8
//!+  | f32_f16 16 16 16 f32 f32 f16 float float float16_t shaderFloat16
//!+  | f32_bf16 16 16 16 f32 f32 bf16 float float bfloat16_t shaderBFloat16CooperativeMatrix
//!+  | f16_f32_16x8x16 16 8 16 f16 f16 f32 float16_t float16_t float shaderFloat16
//!+  | f16_f32_16x8x8 16 8 8 f16 f16 f32 float16_t float16_t float shaderFloat16
//!+  | f16_f32_8x8x8 8 8 8 f16 f16 f32 float16_t float16_t float shaderFloat16
//!+  | f16_f16_16x8x16 16 8 16 f16 f16 f16 float16_t float16_t float16_t shaderFloat16
//!+  | f16_f16_16x8x8 16 8 8 f16 f16 f16 float16_t float16_t float16_t shaderFloat16
//!+  | f16_f16_8x8x8 8 8 8 f16 f16 f16 float16_t float16_t float16_t shaderFloat16
//!+  | f32_f32_8x8x8 8 8 8 f32 f32 f32 float float float cooperativeMatrix
//! each LAYOUTS AL BL CL = rrr row row row | rcc row column column | crc column row column | ccr column column row
//! require cooperativeMatrix $(FEATURE) storageBuffer16BitAccess storageBuffer8BitAccess
//! require matrix $(M) $(N) $(K) $(A) $(B) $(C) $(C)
//! subgroup 32 full
//! buffer a $(A)[$(M) * $(K)] binding 0 = random(-20.0, 20.0, 1)
//! buffer b $(B)[$(K) * $(N)] binding 1 = random(-20.0, 20.0, 2)
//! buffer c $(C)[$(M) * $(N)] binding 2 = random(-100.0, 100.0, 3)
//! buffer d $(C)[$(M) * $(N)] binding 3
//! dispatch 1
//! matmul d($(M), $(N) $(CL)) = a($(M), $(K) $(AL)) * b($(K), $(N) $(BL)) + c($(M), $(N) $(CL))
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
#extension GL_EXT_float_e4m3 : require
#extension GL_EXT_float_e5m2 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer ABuffer { GA a[]; };
layout(binding = 1) readonly buffer BBuffer { GB b[]; };
layout(binding = 2) readonly buffer CBuffer { GC c[]; };
layout(binding = 3) writeonly buffer DBuffer { GC d[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;
#define MATRIX_A coopmat<GA, gl_ScopeSubgroup, M, K, gl_MatrixUseA>
#define MATRIX_B coopmat<GB, gl_ScopeSubgroup, K, N, gl_MatrixUseB>
#define ACCUMULATOR coopmat<GC, gl_ScopeSubgroup, M, N, gl_MatrixUseAccumulator>

void main() {
  MATRIX_A x;
  MATRIX_B y;
  ACCUMULATOR z;
  coopMatLoad(x, a, 0, AL == row ? K : M, AL);
  coopMatLoad(y, b, 0, BL == row ? N : K, BL);
  coopMatLoad(z, c, 0, CL == row ? N : M, CL);
  coopMatStore(coopMatMulAdd(x, y, z), d, 0, CL == row ? N : M, CL);
}
