#version 450
// Multiply-adds of sizes that are multiples of 16, up to those that live in memory.
//! each SIZE M N K = 48x16x16 48 16 16 | 16x48x16 16 48 16 | 32x32x48 32 32 48 | 16x16x160 16 16 160
//!+  | 128x256x64 128 256 64 | 16x48x32 16 48 32 | 32x32x96 32 32 96
//! each ROW A C GA GC FEATURE = f16_f32 f16 f32 float16_t float shaderFloat16
//!+  | f16_f16 f16 f16 float16_t float16_t shaderFloat16
//!+  | bf16_f32 bf16 f32 bfloat16_t float shaderBFloat16CooperativeMatrix
//!+  | s8_s32 s8 s32 int8_t int shaderInt8 | u8_s32 u8 s32 uint8_t int shaderInt8
//!+  | f32_f32 f32 f32 float float cooperativeMatrix | s32_s32 s32 s32 int int cooperativeMatrix
//! each LAYOUTS AL BL CL = rrr row row row | ccr column column row | rcc row column column
//! require cooperativeMatrix $(FEATURE) storageBuffer16BitAccess storageBuffer8BitAccess
//! require cooperativeMatrixFlexibleDimensions
//! require matrix $(M) $(N) $(K) $(A) $(A) $(C) $(C)
//! subgroup 32 full
//! buffer a $(A)[$(M) * $(K)] binding 0 = random(-20.0, 20.0, 1)
//! buffer b $(A)[$(K) * $(N)] binding 1 = random(-20.0, 20.0, 2)
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
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer ABuffer { GA a[]; };
layout(binding = 1) readonly buffer BBuffer { GA b[]; };
layout(binding = 2) readonly buffer CBuffer { GC c[]; };
layout(binding = 3) writeonly buffer DBuffer { GC d[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;

void main() {
  coopmat<GA, gl_ScopeSubgroup, M, K, gl_MatrixUseA> x;
  coopmat<GA, gl_ScopeSubgroup, K, N, gl_MatrixUseB> y;
  coopmat<GC, gl_ScopeSubgroup, M, N, gl_MatrixUseAccumulator> z;
  coopMatLoad(x, a, 0, AL == row ? K : M, AL);
  coopMatLoad(y, b, 0, BL == row ? N : K, BL);
  coopMatLoad(z, c, 0, CL == row ? N : M, CL);
  coopMatStore(coopMatMulAdd(x, y, z), d, 0, CL == row ? N : M, CL);
}
