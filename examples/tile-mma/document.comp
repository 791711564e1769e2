#version 450
// The document's own four examples: ct::mma and ct::matmul of 2x4 and 4x2 tiles of iota, rank 2, and
// rank 3 with the second batch of rhs and acc negated. They are of float; other rows give the same.
//! each ROW L ACC GL GACC
//!+  = float f32 f32 float float | s8 s8 s32 int8_t int | e4m3_half e4m3 f16 floate4m3_t float16_t
//!+  | e5m2_float e5m2 f32 floate5m2_t float | half_half f16 f16 float16_t float16_t
//!+  | half_float f16 f32 float16_t float | bfloat16_float bf16 f32 bfloat16_t float
//! each RANK BATCHES = rank2 1 | rank3 2
//! define N=2
//! define K=4
//! define M=2
//! define A=BATCHES
//! define B=BATCHES
//! define C=BATCHES
//! require cooperativeMatrixFlexibleDimensions cooperativeMatrixTensorAddressing
//! require cooperativeMatrix shaderFloat16 shaderInt8 shaderBFloat16CooperativeMatrix
//! require shaderFloat8CooperativeMatrix storageBuffer8BitAccess storageBuffer16BitAccess
//! buffer lhs $(L)[$(BATCHES) * 8] binding 0 = i % 8
//! buffer rhs $(L)[$(BATCHES) * 8] binding 1 = i < 8 ? i : 8 - i
//! buffer acc $(ACC)[$(BATCHES) * 4] binding 2 = i < 4 ? i : 4 - i
//! buffer mma $(ACC)[$(BATCHES) * 4] binding 3
//! buffer matmul_ $(ACC)[$(BATCHES) * 4] binding 4
//! buffer document_mma s32[8] = { 28, 35, 78, 101, -28, -35, -78, -101 }
//! buffer document_matmul s32[8] = { 28, 34, 76, 98, -28, -34, -76, -98 }
//! subgroup 32 full
//! dispatch 1 1 $(BATCHES)
//! expect mma = document_mma[i]
//! expect matmul_ = document_matmul[i]
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
layout(binding = 1) readonly buffer Rhs { GL rhs[]; };
layout(binding = 2) readonly buffer Acc { GACC acc[]; };
layout(binding = 3) writeonly buffer Mma { GACC mma[]; };
layout(binding = 4) writeonly buffer Matmul { GACC matmul[]; };
#include "tile.glsl"

void main() {
  TILE(lhs_tile, A, N, K);
  TILE(rhs_tile, B, K, M);
  TILE(acc_tile, C, N, M);
  LHS_TILE(GL) a;
  RHS_TILE(GL) b;
  RESULT_TILE(GACC) c;
  coopMatLoadTensorNV(a, lhs, 0, lhs_tile);
  coopMatLoadTensorNV(b, rhs, 0, rhs_tile);
  coopMatLoadTensorNV(c, acc, 0, acc_tile);
  coopMatStoreTensorNV(coopMatMulAdd(a, b, c), mma, 0, acc_tile);
  coopMatStoreTensorNV(coopMatMulAdd(a, b, RESULT_TILE(GACC)(GACC(0))), matmul, 0, acc_tile);
}
