#version 450
// Offsets and strides from push constants; what lies between the rows of the result stays.
//! each ROW A C GA GC K FEATURE = f16_f32 f16 f32 float16_t float 16 shaderFloat16
//!+  | f16_f16 f16 f16 float16_t float16_t 16 shaderFloat16
//!+  | bf16_f32 bf16 f32 bfloat16_t float 16 shaderBFloat16CooperativeMatrix
//!+  | f32_f32 f32 f32 float float 16 cooperativeMatrix
//!+  | s8_s32 s8 s32 int8_t int 32 shaderInt8
//!+  | u8_u32 u8 u32 uint8_t uint 32 shaderInt8
//!+  | e5m2_f32 e5m2 f32 floate5m2_t float 16 shaderFloat8CooperativeMatrix
//! require cooperativeMatrix $(FEATURE) storageBuffer16BitAccess storageBuffer8BitAccess
//! require matrix 16 16 $(K) $(A) $(A) $(C) $(C)
//! subgroup 32 full
//! buffer a $(A)[4096] binding 0 = random(-9.0, 9.0, 1)
//! buffer b $(A)[4096] binding 1 = random(-9.0, 9.0, 2)
//! buffer c $(C)[1024] binding 2 = random(-9.0, 9.0, 3)
//! buffer d $(C)[1024] binding 3 = 1
//! push u32 64, u32 80, u32 32, u32 96, u32 16, u32 48, u32 8, u32 24
//! dispatch 1
//! matmul d(16, 16 row stride 24 offset 8) = a(16, $(K) row stride 80 offset 64)
//!+  * b($(K), 16 column stride 96 offset 32) + c(16, 16 column stride 48 offset 16)
//! expect d[0..8] = 1
//! expect d[24..32] = 1
//! expect d[48..56] = 1
//! expect d[384..1024] = 1
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
#extension GL_EXT_float_e4m3 : require
#extension GL_EXT_float_e5m2 : require
layout(local_size_x = 32) in;
layout(push_constant) uniform Push {
  uint a_offset, a_stride, b_offset, b_stride, c_offset, c_stride, d_offset, d_stride;
};
layout(binding = 0) readonly buffer ABuffer { GA a[]; };
layout(binding = 1) readonly buffer BBuffer { GA b[]; };
layout(binding = 2) readonly buffer CBuffer { GC c[]; };
layout(binding = 3) buffer DBuffer { GC d[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;
#define MATRIX_A coopmat<GA, gl_ScopeSubgroup, 16, K, gl_MatrixUseA>
#define MATRIX_B coopmat<GA, gl_ScopeSubgroup, K, 16, gl_MatrixUseB>
#define ACCUMULATOR coopmat<GC, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>

void main() {
  MATRIX_A x;
  MATRIX_B y;
  ACCUMULATOR z;
  coopMatLoad(x, a, a_offset, a_stride, row);
  coopMatLoad(y, b, b_offset, b_stride, column);
  coopMatLoad(z, c, c_offset, c_stride, column);
  coopMatStore(coopMatMulAdd(x, y, z), d, d_offset, d_stride, row);
}
