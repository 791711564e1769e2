#version 450
// 2x2 tiles a subgroup of operands staged in shared memory, two steps at a time, whose rows begin
// anywhere in a cache line. The next stage overwrites what was multiplied.
//! each ROW A C GA GC K GAP FEATURE = f32_f32 f32 f32 float float 16 4 cooperativeMatrix
//!+  | s32_s32 s32 s32 int int 16 4 cooperativeMatrix
//!+  | f16_f32 f16 f32 float16_t float 16 8 shaderFloat16
//!+  | s8_s32 s8 s32 int8_t int 32 16 shaderInt8
//! each IN_LOOP = 1 | 0
//! require cooperativeMatrix $(FEATURE) storageBuffer16BitAccess storageBuffer8BitAccess
//! require matrix 16 16 $(K) $(A) $(A) $(C) $(C)
//! require subgroup basic
//! subgroup 32 full
//! buffer a $(A)[64 * 6 * $(K)] binding 0 = random(-9.0, 9.0, 1)
//! buffer b $(A)[6 * $(K) * 32] binding 1 = random(-9.0, 9.0, 2)
//! buffer d $(C)[64 * 32] binding 2
//! push u32 3
//! dispatch 1
//! matmul d(64, 32) = a(64, 6 * $(K)) * b(6 * $(K), 32) steps 6
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 64) in;
layout(push_constant) uniform Push { uint stages; };
layout(binding = 0) readonly buffer ABuffer { GA a[]; };
layout(binding = 1) readonly buffer BBuffer { GA b[]; };
layout(binding = 2) writeonly buffer DBuffer { GC d[]; };
const uint kStage = 2 * K, kRowOfA = kStage + GAP, kRowOfB = 32 + GAP;
shared GA a_stage[64 * kRowOfA], b_stage[kStage * kRowOfB];
const int row = gl_CooperativeMatrixLayoutRowMajor;
#define MATRIX_A coopmat<GA, gl_ScopeSubgroup, 16, K, gl_MatrixUseA>
#define MATRIX_B coopmat<GA, gl_ScopeSubgroup, K, 16, gl_MatrixUseB>
#define ACCUMULATOR coopmat<GC, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>

ACCUMULATOR sums[2][2];

void multiplyAdd(uint first_row, uint l) {
  MATRIX_A x[2];
  for (int i = 0; i < 2; ++i) coopMatLoad(x[i], a_stage, (first_row + i * 16) * kRowOfA + l, kRowOfA, row);
  for (int j = 0; j < 2; ++j) {
    MATRIX_B y;
    coopMatLoad(y, b_stage, l * kRowOfB + j * 16, kRowOfB, row);
    for (int i = 0; i < 2; ++i) sums[i][j] = coopMatMulAdd(x[i], y, sums[i][j]);
  }
}

void main() {
  const uint depth = stages * kStage, first_row = gl_SubgroupID * 32;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) sums[i][j] = ACCUMULATOR(GC(0));
  }
  for (uint k = 0; k < depth; k += kStage) {
    for (uint e = gl_LocalInvocationIndex; e < 64 * kStage; e += 64) {
      a_stage[e / kStage * kRowOfA + e % kStage] = a[e / kStage * depth + k + e % kStage];
    }
    for (uint e = gl_LocalInvocationIndex; e < kStage * 32; e += 64) {
      b_stage[e / 32 * kRowOfB + e % 32] = b[k * 32 + e];
    }
    barrier();
#if IN_LOOP
    for (uint l = 0; l < kStage; l += K) multiplyAdd(first_row, l);
#else
    multiplyAdd(first_row, 0);
    multiplyAdd(first_row, K);
#endif
    barrier();
  }
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) coopMatStore(sums[i][j], d, (first_row + i * 16) * 32 + j * 16, 32, row);
  }
}
