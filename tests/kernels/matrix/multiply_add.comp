#version 450
// One multiply-add of every supported row, with A, B and the accumulator in both layouts.
//! each ROW A C GA GC K FEATURE = f16_f32 f16 f32 float16_t float 16 shaderFloat16
//!+  | f16_f16 f16 f16 float16_t float16_t 16 shaderFloat16
//!+  | bf16_f32 bf16 f32 bfloat16_t float 16 shaderBFloat16CooperativeMatrix
//!+  | f32_f32 f32 f32 float float 16 cooperativeMatrix
//!+  | s8_s32 s8 s32 int8_t int 32 shaderInt8
//!+  | u8_u32 u8 u32 uint8_t uint 32 shaderInt8
//! each AL BL CL = row row row | row column column | column row column | column column row
//! require cooperativeMatrix $(FEATURE) storageBuffer16BitAccess storageBuffer8BitAccess
//! require matrix 16 16 $(K) $(A) $(A) $(C) $(C)
//! subgroup 32 full
//! buffer a $(A)[16 * $(K)] binding 0 = random(-20.0, 20.0, 1)
//! buffer b $(A)[$(K) * 16] binding 1 = random(-20.0, 20.0, 2)
//! buffer c $(C)[256] binding 2 = random(-100.0, 100.0, 3)
//! buffer d $(C)[256] binding 3
//! dispatch 1
//! matmul d(16, 16 $(CL)) = a(16, $(K) $(AL)) * b($(K), 16 $(BL)) + c(16, 16 $(CL))
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer ABuffer { GA a[]; };
layout(binding = 1) readonly buffer BBuffer { GA b[]; };
layout(binding = 2) readonly buffer CBuffer { GC c[]; };
layout(binding = 3) writeonly buffer DBuffer { GC d[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;
#define MATRIX_A coopmat<GA, gl_ScopeSubgroup, 16, K, gl_MatrixUseA>
#define MATRIX_B coopmat<GA, gl_ScopeSubgroup, K, 16, gl_MatrixUseB>
#define ACCUMULATOR coopmat<GC, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>

void main() {
  MATRIX_A x;
  MATRIX_B y;
  ACCUMULATOR z;
  coopMatLoad(x, a, 0, AL == row ? K : 16, AL);
  coopMatLoad(y, b, 0, BL == row ? 16 : K, BL);
  coopMatLoad(z, c, 0, 16, CL);
  coopMatStore(coopMatMulAdd(x, y, z), d, 0, 16, CL);
}
