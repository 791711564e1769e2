#version 450
// ct::matmul(lhs, rhs): every row of the table of matmul_result_t, rank 2, and rank 3 with each
// broadcast.
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
//! require cooperativeMatrix shaderFloat16 shaderInt8 shaderBFloat16CooperativeMatrix
//! require shaderFloat8CooperativeMatrix storageBuffer8BitAccess storageBuffer16BitAccess
//! require matrix 16 16 16 $(L) $(R) $(RESULT) $(RESULT)
//! define N=16
//! define M=32
//! define K=32
//! buffer lhs $(L)[$(A) * 16 * 32] binding 0 = random($(LOW), 4, 1)
//! buffer rhs $(R)[$(B) * 32 * 32] binding 1 = random($(LOW), 4, 2)
//! buffer result $(RESULT)[$(C) * 16 * 32] binding 2
//! subgroup 32 full
//! dispatch 2 1 $(C)
//! expect result = sum(k, 0, 32,
//!+  lhs[(i / 512 % $(A) * 16 + i / 32 % 16) * 32 + k] * rhs[(i / 512 % $(B) * 32 + k) * 32 + i % 32])
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
layout(binding = 2) writeonly buffer Result { GRESULT result[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

void main() {
  const uint i0 = gl_WorkGroupID.y * 16, i1 = gl_WorkGroupID.x * 16, batch = gl_WorkGroupID.z;
  const uint a0 = (batch % A * N + i0) * K, b0 = batch % B * K * M + i1;
  coopmat<GRESULT, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> r =
      coopmat<GRESULT, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(GRESULT(0));
  for (uint k = 0; k < K; k += 16) {
    coopmat<GL, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> a;
    coopmat<GR, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> b;
    coopMatLoad(a, lhs, a0 + k, K, row);
    coopMatLoad(b, rhs, b0 + k * M, M, row);
    r = coopMatMulAdd(a, b, r);
  }
  coopMatStore(r, result, (batch * N + i0) * M + i1, M, row);
}
