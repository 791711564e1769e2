#version 450
// ct::matmul(lhs, rhs): every row of the table of matmul_result_t, rank 2, and rank 3 with each
// broadcast, of a large tile and of one that is smaller than any matrix.
//
// lhs is A x N x K, rhs B x K x M, the result C x N x M with C the larger of A and B: an mma whose
// accumulator is zero. Numbers are small and whole, so every type holds all of them. GLSL has no
// matrices of double: double.spvasm.
//! each ROW L R RESULT GL GR GRESULT LOW
//!+  = u8_u8 u8 u8 s32 uint8_t uint8_t int 0 | s8_s8 s8 s8 s32 int8_t int8_t int -4
//!+  | u8_s8 u8 s8 s32 uint8_t int8_t int 0 | s8_u8 s8 u8 s32 int8_t uint8_t int 0
//!+  | e4m3 e4m3 e4m3 f16 floate4m3_t floate4m3_t float16_t -4
//!+  | e5m2 e5m2 e5m2 f16 floate5m2_t floate5m2_t float16_t -4
//!+  | half f16 f16 f16 float16_t float16_t float16_t -4
//!+  | bfloat16 bf16 bf16 f32 bfloat16_t bfloat16_t float -4
//!+  | tf32 f32 f32 f32 float float float -4 | float f32 f32 f32 float float float -4
//! each RANK A B C = rank2 1 1 1 | rank3 2 2 2 | lhs_broadcast 1 2 2 | rhs_broadcast 2 1 2
//! each SHAPE N K M = 16x32x32 16 32 32 | 2x8x4 2 8 4
//! require cooperativeMatrixFlexibleDimensions cooperativeMatrixTensorAddressing
//! require cooperativeMatrix shaderFloat16 shaderInt8 shaderBFloat16CooperativeMatrix
//! require shaderFloat8CooperativeMatrix storageBuffer8BitAccess storageBuffer16BitAccess
//! buffer lhs $(L)[$(A) * $(N) * $(K)] binding 0 = random($(LOW), 4, 1)
//! buffer rhs $(R)[$(B) * $(K) * $(M)] binding 1 = random($(LOW), 4, 2)
//! buffer result $(RESULT)[$(C) * $(N) * $(M)] binding 2
//! subgroup 32 full
//! dispatch 1 1 $(C)
//! expect result = sum(k, 0, $(K), lhs[(i/($(N)*$(M)) % $(A) * $(N) + i/$(M)%$(N)) * $(K) + k]
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
layout(binding = 2) writeonly buffer Result { GRESULT result[]; };
#include "tile.glsl"

void main() {
  TILE(lhs_tile, A, N, K);
  TILE(rhs_tile, B, K, M);
  TILE(result_tile, C, N, M);
  LHS_TILE(GL) a;
  RHS_TILE(GR) b;
  coopMatLoadTensorNV(a, lhs, 0, lhs_tile);
  coopMatLoadTensorNV(b, rhs, 0, rhs_tile);
  const RESULT_TILE(GRESULT) r = coopMatMulAdd(a, b, RESULT_TILE(GRESULT)(GRESULT(0)));
  coopMatStoreTensorNV(r, result, 0, result_tile);
}
