#version 450
// Volatile buffers: loads stay where they are, and are neither merged nor put off to the end of a
// K block of the K loop; products are the same.
//! each ROW A C GA GC K FEATURE = f16_f32 f16 f32 float16_t float 16 shaderFloat16
//!+  | s8_s32 s8 s32 int8_t int 32 shaderInt8
//! each BL = row | column
//! require cooperativeMatrix $(FEATURE) storageBuffer16BitAccess storageBuffer8BitAccess
//! require matrix 16 16 $(K) $(A) $(A) $(C) $(C)
//! subgroup 32 full
//! buffer a $(A)[16 * 16 * $(K)] binding 0 = random(-4.0, 4.0, 1)
//! buffer b $(A)[16 * $(K) * 16] binding 1 = random(-4.0, 4.0, 2)
//! buffer d $(C)[256] binding 2
//! dispatch 1
//! matmul d(16, 16) = a(16, 16 * $(K) row) * b(16 * $(K), 16 $(BL)) steps 16
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
layout(local_size_x = 32) in;
layout(binding = 0) volatile readonly buffer ABuffer { GA a[]; };
layout(binding = 1) volatile readonly buffer BBuffer { GA b[]; };
layout(binding = 2) volatile writeonly buffer DBuffer { GC d[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;
#define MATRIX_A coopmat<GA, gl_ScopeSubgroup, 16, K, gl_MatrixUseA>
#define MATRIX_B coopmat<GA, gl_ScopeSubgroup, K, 16, gl_MatrixUseB>
#define ACCUMULATOR coopmat<GC, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>

void main() {
  ACCUMULATOR sum = ACCUMULATOR(GC(0));
  for (uint k = 0; k < 16; ++k) {
    MATRIX_A x;
    MATRIX_B y;
    coopMatLoad(x, a, k * K, 16 * K, row);
    coopMatLoad(y, b, BL == row ? k * K * 16 : k * K, BL == row ? 16 : 16 * K, BL);
    sum = coopMatMulAdd(x, y, sum);
  }
  coopMatStore(sum, d, 0, 16, row);
}
