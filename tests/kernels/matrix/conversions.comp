#version 450
// Conversions of component types: widening is exact, narrowing rounds to nearest even (to integers:
// toward zero).
//! each NAME FROM TO GF GT USE R C = f16_f32 f16 f32 float16_t float Accumulator 16 16
//!+  | f32_f16 f32 f16 float float16_t Accumulator 16 16 | f32_s32 f32 s32 float int Accumulator 16 16
//!+  | f32_u32 f32 u32 float uint Accumulator 16 16 | s32_f32 s32 f32 int float Accumulator 16 16
//!+  | u32_f32 u32 f32 uint float Accumulator 16 16 | s32_f16 s32 f16 int float16_t Accumulator 16 16
//!+  | s32_u32 s32 u32 int uint Accumulator 16 16 | f32_bf16 f32 bf16 float bfloat16_t A 16 16
//!+  | bf16_f32 bf16 f32 bfloat16_t float A 16 16 | f32_f16_b f32 f16 float float16_t B 16 16
//!+  | s8_u8 s8 u8 int8_t uint8_t A 16 32
//! require cooperativeMatrix shaderFloat16 shaderInt8 shaderBFloat16CooperativeMatrix
//! require storageBuffer16BitAccess storageBuffer8BitAccess
//! require matrix 16 16 16 f32 f32 f32 f32
//! buffer source $(FROM)[512] binding 0 = random(0.0, 2000.0, 1)
//! buffer result $(TO)[512] binding 1 = 1
//! subgroup 32 full
//! dispatch 1
//! expect result[0..$(R) * $(C)] = source[i]
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Source { GF source[]; };
layout(binding = 1) writeonly buffer Result { GT result[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;

void main() {
  coopmat<GF, gl_ScopeSubgroup, R, C, gl_MatrixUse$(USE)> m;
  coopMatLoad(m, source, 0, C, row);
  coopMatStore(coopmat<GT, gl_ScopeSubgroup, R, C, gl_MatrixUse$(USE)>(m), result, 0, C, row);
}
