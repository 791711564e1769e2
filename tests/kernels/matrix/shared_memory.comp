#version 450
// Operands and result through shared memory, in both layouts, every row.
//! each ROW A C GA GC K FEATURE = f16_f32 f16 f32 float16_t float 16 shaderFloat16
//!+  | f16_f16 f16 f16 float16_t float16_t 16 shaderFloat16
//!+  | bf16_f32 bf16 f32 bfloat16_t float 16 shaderBFloat16CooperativeMatrix
//!+  | f32_f32 f32 f32 float float 16 cooperativeMatrix
//!+  | s8_s32 s8 s32 int8_t int 32 shaderInt8
//!+  | u8_u32 u8 u32 uint8_t uint 32 shaderInt8
//!+  | e4m3_f32 e4m3 f32 floate4m3_t float 16 shaderFloat8CooperativeMatrix
//! each L = row | column
//! require cooperativeMatrix $(FEATURE) storageBuffer16BitAccess storageBuffer8BitAccess
//! require matrix 16 16 $(K) $(A) $(A) $(C) $(C)
//! subgroup 32 full
//! buffer a $(A)[16 * $(K)] binding 0 = random(-9.0, 9.0, 1)
//! buffer b $(A)[$(K) * 16] binding 1 = random(-9.0, 9.0, 2)
//! buffer d $(C)[256] binding 2
//! dispatch 1
//! matmul d(16, 16 $(L)) = a(16, $(K) $(L)) * b($(K), 16 $(L))
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
#extension GL_EXT_float_e4m3 : require
#extension GL_EXT_float_e5m2 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer ABuffer { GA a[]; };
layout(binding = 1) readonly buffer BBuffer { GA b[]; };
layout(binding = 2) writeonly buffer DBuffer { GC d[]; };
shared GA a_stage[16 * K], b_stage[16 * K];
shared GC d_stage[256];
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;
#define MATRIX_A coopmat<GA, gl_ScopeSubgroup, 16, K, gl_MatrixUseA>
#define MATRIX_B coopmat<GA, gl_ScopeSubgroup, K, 16, gl_MatrixUseB>
#define ACCUMULATOR coopmat<GC, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>

void main() {
  for (uint k = gl_LocalInvocationIndex; k < 16 * K; k += 32) {
    a_stage[k] = a[k];
    b_stage[k] = b[k];
  }
  barrier();
  MATRIX_A x;
  MATRIX_B y;
  coopMatLoad(x, a_stage, 0, L == row ? K : 16, L);
  coopMatLoad(y, b_stage, 0, L == row ? 16 : K, L);
  coopMatStore(coopMatMulAdd(x, y, ACCUMULATOR(GC(0))), d_stage, 0, 16, L);
  barrier();
  for (uint k = gl_LocalInvocationIndex; k < 256; k += 32) d[k] = d_stage[k];
}
