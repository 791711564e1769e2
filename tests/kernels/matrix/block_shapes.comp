#version 450
// Register blocks of unusual shapes, every row of the table, both layouts of B.
//! each ROW A C GA GC K FEATURE = f16_f32 f16 f32 float16_t float 16 shaderFloat16
//!+  | f16_f16 f16 f16 float16_t float16_t 16 shaderFloat16
//!+  | bf16_f32 bf16 f32 bfloat16_t float 16 shaderBFloat16CooperativeMatrix
//!+  | f32_f32 f32 f32 float float 16 cooperativeMatrix
//!+  | s8_s32 s8 s32 int8_t int 32 shaderInt8
//!+  | u8_u32 u8 u32 uint8_t uint 32 shaderInt8
//! each SHAPE TM TN = 3x2 3 2 | 1x5 1 5
//! each BL = row | column
//! require cooperativeMatrix $(FEATURE) storageBuffer16BitAccess storageBuffer8BitAccess
//! require matrix 16 16 $(K) $(A) $(A) $(C) $(C)
//! subgroup 32 full
//! buffer a $(A)[$(TM) * 16 * 3 * $(K)] binding 0 = random(-4.0, 4.0, 1)
//! buffer b $(A)[3 * $(K) * $(TN) * 16] binding 1 = random(-4.0, 4.0, 2)
//! buffer d $(C)[$(TM) * 16 * $(TN) * 16] binding 2
//! push u32 3
//! dispatch 1
//! matmul d($(TM) * 16, $(TN) * 16) = a($(TM) * 16, 3 * $(K)) * b(3 * $(K), $(TN) * 16 $(BL)) steps 3
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
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
  const uint depth = steps * K, width = TN * 16;
  ACCUMULATOR sums[TM][TN];
  for (int i = 0; i < TM; ++i) {
    for (int j = 0; j < TN; ++j) sums[i][j] = ACCUMULATOR(GC(0));
  }
  for (uint k = 0; k < depth; k += K) {
    MATRIX_A x[TM];
    MATRIX_B y[TN];
    for (int i = 0; i < TM; ++i) coopMatLoad(x[i], a, i * 16 * depth + k, depth, row);
    for (int j = 0; j < TN; ++j) {
      coopMatLoad(y[j], b, BL == row ? k * width + j * 16 : j * 16 * depth + k, BL == row ? width : depth, BL);
    }
    for (int i = 0; i < TM; ++i) {
      for (int j = 0; j < TN; ++j) sums[i][j] = coopMatMulAdd(x[i], y[j], sums[i][j]);
    }
  }
  for (int i = 0; i < TM; ++i) {
    for (int j = 0; j < TN; ++j) coopMatStore(sums[i][j], d, i * 16 * width + j * 16, width, row);
  }
}
