#version 450
// 4x4 tiles of accumulators in a subgroup: the loop that is scheduled onto registers.
//! each ROW A C GA GC K FEATURE = f16_f32 f16 f32 float16_t float 16 shaderFloat16
//!+  | f16_f16 f16 f16 float16_t float16_t 16 shaderFloat16
//!+  | bf16_f32 bf16 f32 bfloat16_t float 16 shaderBFloat16CooperativeMatrix
//!+  | f32_f32 f32 f32 float float 16 cooperativeMatrix
//!+  | s8_s32 s8 s32 int8_t int 32 shaderInt8
//!+  | u8_u32 u8 u32 uint8_t uint 32 shaderInt8
//!+  | e4m3_f16 e4m3 f16 floate4m3_t float16_t 16 shaderFloat8CooperativeMatrix
//! each OPT = off | on
//! optimize $(OPT)
//! require cooperativeMatrix $(FEATURE) storageBuffer16BitAccess storageBuffer8BitAccess
//! require matrix 16 16 $(K) $(A) $(A) $(C) $(C)
//! subgroup 32 full
//! buffer a $(A)[64 * 4 * $(K)] binding 0 = random(-4.0, 4.0, 1)
//! buffer b $(A)[4 * $(K) * 64] binding 1 = random(-4.0, 4.0, 2)
//! buffer d $(C)[4096] binding 2
//! push u32 4
//! dispatch 1
//! matmul d(64, 64) = a(64, 4 * $(K)) * b(4 * $(K), 64) steps 4
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
#extension GL_EXT_float_e4m3 : require
#extension GL_EXT_float_e5m2 : require
layout(local_size_x = 32) in;
layout(push_constant) uniform Push { uint steps; };
layout(binding = 0) readonly buffer ABuffer { GA a[]; };
layout(binding = 1) readonly buffer BBuffer { GA b[]; };
layout(binding = 2) writeonly buffer DBuffer { GC d[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;
#define MATRIX_A coopmat<GA, gl_ScopeSubgroup, 16, K, gl_MatrixUseA>
#define MATRIX_B coopmat<GA, gl_ScopeSubgroup, K, 16, gl_MatrixUseB>
#define ACCUMULATOR coopmat<GC, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>

void main() {
  ACCUMULATOR sums[4][4];
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) sums[i][j] = ACCUMULATOR(GC(0));
  }
  for (uint k = 0; k < steps; ++k) {
    MATRIX_A x[4];
    for (int i = 0; i < 4; ++i) coopMatLoad(x[i], a, i * 16 * steps * K + k * K, steps * K, row);
    for (int j = 0; j < 4; ++j) {
      MATRIX_B y;
      coopMatLoad(y, b, k * K * 64 + j * 16, 64, row);
      for (int i = 0; i < 4; ++i) sums[i][j] = coopMatMulAdd(x[i], y, sums[i][j]);
    }
  }
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) coopMatStore(sums[i][j], d, i * 16 * 64 + j * 16, 64, row);
  }
}
