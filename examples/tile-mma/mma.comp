#version 450
// ct::mma(lhs, rhs, acc): every row of the table of mma_compatible, rank 2, and rank 3 with each
// broadcast, of a large tile and of one that is smaller than any matrix.
//
// lhs is A x N x K, rhs B x K x M, acc and the result C x N x M; rank 2 is one batch. Numbers are
// small and whole, so every type holds all of them and every order of adding gives the same. GLSL has
// no matrices of double: double.spvasm.
//! each ROW L R ACC GL GR GACC LOW
//!+  = u8_u8 u8 u8 s32 uint8_t uint8_t int 0 | s8_s8 s8 s8 s32 int8_t int8_t int -4
//!+  | u8_s8 u8 s8 s32 uint8_t int8_t int 0 | s8_u8 s8 u8 s32 int8_t uint8_t int 0
//!+  | e4m3_half e4m3 e4m3 f16 floate4m3_t floate4m3_t float16_t -4
//!+  | e4m3_float e4m3 e4m3 f32 floate4m3_t floate4m3_t float -4
//!+  | e5m2_half e5m2 e5m2 f16 floate5m2_t floate5m2_t float16_t -4
//!+  | e5m2_float e5m2 e5m2 f32 floate5m2_t floate5m2_t float -4
//!+  | half_half f16 f16 f16 float16_t float16_t float16_t -4
//!+  | half_float f16 f16 f32 float16_t float16_t float -4
//!+  | bfloat16_float bf16 bf16 f32 bfloat16_t bfloat16_t float -4
//!+  | tf32_float f32 f32 f32 float float float -4 | float_float f32 f32 f32 float float float -4
//! each RANK A B C = rank2 1 1 1 | rank3 4 4 4 | lhs_broadcast 1 4 4 | rhs_broadcast 4 1 4
//!+  | both_broadcast 1 1 4
//! each SHAPE N K M = 32x64x16 32 64 16 | 4x16x2 4 16 2
//! require cooperativeMatrixFlexibleDimensions cooperativeMatrixTensorAddressing
//! require cooperativeMatrix shaderFloat16 shaderInt8 shaderBFloat16CooperativeMatrix
//! require shaderFloat8CooperativeMatrix storageBuffer8BitAccess storageBuffer16BitAccess
//! buffer lhs $(L)[$(A) * $(N) * $(K)] binding 0 = random($(LOW), 4, 1)
//! buffer rhs $(R)[$(B) * $(K) * $(M)] binding 1 = random($(LOW), 4, 2)
//! buffer acc $(ACC)[$(C) * $(N) * $(M)] binding 2 = random(-9, 9, 3)
//! buffer result $(ACC)[$(C) * $(N) * $(M)] binding 3
//! subgroup 32 full
//! dispatch 1 1 $(C)
//! expect result = acc[i] + sum(k, 0, $(K), lhs[(i/($(N)*$(M)) % $(A) * $(N) + i/$(M)%$(N)) * $(K) + k]
//!+  * rhs[(i/($(N)*$(M)) % $(B) * $(K) + k) * $(M) + i%$(M)])
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
#extension GL_EXT_float_e4m3 : require
#extension GL_EXT_float_e5m2 : require
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Lhs { GL lhs[]; };
layout(binding = 1) readonly buffer Rhs { GR rhs[]; };
layout(binding = 2) readonly buffer Acc { GACC acc[]; };
layout(binding = 3) writeonly buffer Result { GACC result[]; };
#include "tile.glsl"

void main() {
  TILE(lhs_tile, A, N, K);
  TILE(rhs_tile, B, K, M);
  TILE(acc_tile, C, N, M);
  LHS_TILE(GL) a;
  RHS_TILE(GR) b;
  RESULT_TILE(GACC) r;
  coopMatLoadTensorNV(a, lhs, 0, lhs_tile);
  coopMatLoadTensorNV(b, rhs, 0, rhs_tile);
  coopMatLoadTensorNV(r, acc, 0, acc_tile);
  r = coopMatMulAdd(a, b, r);
  coopMatStoreTensorNV(r, result, 0, acc_tile);
}
