#version 450
// ct::mma(lhs, rhs, acc): every row of the table of mma_compatible, rank 2, and rank 3 with each
// broadcast.
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
//! require cooperativeMatrix shaderFloat16 shaderInt8 shaderBFloat16CooperativeMatrix
//! require shaderFloat8CooperativeMatrix storageBuffer8BitAccess storageBuffer16BitAccess
//! require matrix 16 16 16 $(L) $(R) $(ACC) $(ACC)
//! define N=32
//! define M=16
//! define K=64
//! buffer lhs $(L)[$(A) * 32 * 64] binding 0 = random($(LOW), 4, 1)
//! buffer rhs $(R)[$(B) * 64 * 16] binding 1 = random($(LOW), 4, 2)
//! buffer acc $(ACC)[$(C) * 32 * 16] binding 2 = random(-9, 9, 3)
//! buffer result $(ACC)[$(C) * 32 * 16] binding 3
//! subgroup 32 full
//! dispatch 1 2 $(C)
//! expect result = acc[i] + sum(k, 0, 64,
//!+  lhs[(i / 512 % $(A) * 32 + i / 16 % 32) * 64 + k] * rhs[(i / 512 % $(B) * 64 + k) * 16 + i % 16])
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
#extension GL_EXT_float_e4m3 : require
#extension GL_EXT_float_e5m2 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Lhs { GL lhs[]; };
layout(binding = 1) readonly buffer Rhs { GR rhs[]; };
layout(binding = 2) readonly buffer Acc { GACC acc[]; };
layout(binding = 3) writeonly buffer Result { GACC result[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

void main() {
  // A subgroup makes 16 x 16 elements of a batch.
  const uint i0 = gl_WorkGroupID.y * 16, i1 = gl_WorkGroupID.x * 16, batch = gl_WorkGroupID.z;
  // An operand that is broadcast has one batch, which all use.
  const uint a0 = (batch % A * N + i0) * K, b0 = batch % B * K * M + i1;
  const uint c0 = (batch * N + i0) * M + i1;
  coopmat<GACC, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> r;
  coopMatLoad(r, acc, c0, M, row);
  for (uint k = 0; k < K; k += 16) {
    coopmat<GL, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> a;
    coopmat<GR, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> b;
    coopMatLoad(a, lhs, a0 + k, K, row);
    coopMatLoad(b, rhs, b0 + k * M, M, row);
    r = coopMatMulAdd(a, b, r);
  }
  coopMatStore(r, result, c0, M, row);
}
