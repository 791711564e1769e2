#version 450
// Matrices loaded and stored through pointers to uvec4 and uint: offset and stride count those.
//! each ROW A C GA GC K FEATURE = f16_f32 f16 f32 float16_t float 16 shaderFloat16
//!+  | f16_f16 f16 f16 float16_t float16_t 16 shaderFloat16
//!+  | bf16_f32 bf16 f32 bfloat16_t float 16 shaderBFloat16CooperativeMatrix
//!+  | f32_f32 f32 f32 float float 16 cooperativeMatrix
//!+  | s8_s32 s8 s32 int8_t int 32 shaderInt8
//!+  | u8_u32 u8 u32 uint8_t uint 32 shaderInt8
//! require cooperativeMatrix $(FEATURE) storageBuffer16BitAccess storageBuffer8BitAccess
//! require matrix 16 16 $(K) $(A) $(A) $(C) $(C)
//! subgroup 32 full
//! buffer a $(A)[2048] binding 0 = random(-9.0, 9.0, 1)
//! buffer b $(A)[2048] binding 1 = random(-9.0, 9.0, 2)
//! buffer d $(C)[512] binding 2 = 3
//! dispatch 1
//! matmul d(16, 16 row stride 32 offset 16) = a(16, $(K) row stride 64 offset 32) * b($(K), 16 column stride 32)
//! expect d[0..16] = 3
//! expect d[32..48] = 3
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer ABuffer { uvec4 a[]; };
layout(binding = 1) readonly buffer BBuffer { uint b[]; };
layout(binding = 2) buffer DBuffer { uvec4 d[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;
#define MATRIX_A coopmat<GA, gl_ScopeSubgroup, 16, K, gl_MatrixUseA>
#define MATRIX_B coopmat<GA, gl_ScopeSubgroup, K, 16, gl_MatrixUseB>
#define ACCUMULATOR coopmat<GC, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>

const uint f16_bytes = 2, bf16_bytes = 2, f32_bytes = 4, s32_bytes = 4, u32_bytes = 4, s8_bytes = 1,
           u8_bytes = 1;

void main() {
  MATRIX_A x;
  MATRIX_B y;
  coopMatLoad(x, a, 32 * $(A)_bytes / 16, 64 * $(A)_bytes / 16, row);
  coopMatLoad(y, b, 0, 32 * $(A)_bytes / 4, column);
  coopMatStore(coopMatMulAdd(x, y, ACCUMULATOR(GC(0))), d, 16 * $(C)_bytes / 16, 32 * $(C)_bytes / 16, row);
}
