#version 450
// Operands and result in PhysicalStorageBuffer memory, every row.
//! each ROW A C GA GC K FEATURE = f16_f32 f16 f32 float16_t float 16 shaderFloat16
//!+  | f16_f16 f16 f16 float16_t float16_t 16 shaderFloat16
//!+  | bf16_f32 bf16 f32 bfloat16_t float 16 shaderBFloat16CooperativeMatrix
//!+  | f32_f32 f32 f32 float float 16 cooperativeMatrix
//!+  | s8_s32 s8 s32 int8_t int 32 shaderInt8
//!+  | u8_u32 u8 u32 uint8_t uint 32 shaderInt8
//! require cooperativeMatrix $(FEATURE) storageBuffer16BitAccess storageBuffer8BitAccess
//! require matrix 16 16 $(K) $(A) $(A) $(C) $(C)
//! subgroup 32 full
//! require bufferDeviceAddress
//! buffer a $(A)[16 * $(K)] = random(-9.0, 9.0, 1)
//! buffer b $(A)[$(K) * 16] = random(-9.0, 9.0, 2)
//! buffer d $(C)[256]
//! push u64 &a, u64 &b, u64 &d
//! dispatch 1
//! matmul d(16, 16) = a(16, $(K)) * b($(K), 16 column)
#extension GL_EXT_buffer_reference : require
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
layout(local_size_x = 32) in;
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Inputs { GA data[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Outputs { GC data[]; };
layout(push_constant) uniform Push {
  Inputs a, b;
  Outputs d;
};
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;
#define MATRIX_A coopmat<GA, gl_ScopeSubgroup, 16, K, gl_MatrixUseA>
#define MATRIX_B coopmat<GA, gl_ScopeSubgroup, K, 16, gl_MatrixUseB>
#define ACCUMULATOR coopmat<GC, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>

void main() {
  MATRIX_A x;
  MATRIX_B y;
  coopMatLoad(x, a.data, 0, K, row);
  coopMatLoad(y, b.data, 0, K, column);
  coopMatStore(coopMatMulAdd(x, y, ACCUMULATOR(GC(0))), d.data, 0, 16, row);
}
