#version 450
// Saturating multiply-adds: sums stop at the result's limits after each one, and a second one with
// the sign of A changed, where it has one, comes back from there. A and B are such that their product
// by itself fits the result, which the specification asks for.
//! each ROW K A B C GA GB GC FEATURE LOW_A HIGH_A LOW_B HIGH_B LOW HIGH SECOND SIGN =
//!+ s8_s32_k32 32 s8 s8 s32 int8_t int8_t int shaderInt8 -127 127 -127 127 -2147483648 2147483647 -x -1
//!+  | u8_u32_k32 32 u8 u8 u32 uint8_t uint8_t uint shaderInt8 0 255 0 255 0 4294967295 x 1
//!+  | u8_s32_k32 32 u8 u8 s32 uint8_t uint8_t int shaderInt8 0 255 0 255 -2147483648 2147483647 x 1
//!+  | u8_s8_s32_k32 32 u8 s8 s32 uint8_t int8_t int shaderInt8 0 255 -127 127 -2147483648 2147483647 x 1
//!+  | s8_u8_s32_k32 32 s8 u8 s32 int8_t uint8_t int shaderInt8 -127 127 0 255 -2147483648 2147483647 -x -1
//!+  | s8_s32 16 s8 s8 s32 int8_t int8_t int shaderInt8 -127 127 -127 127 -2147483648 2147483647 -x -1
//!+  | u8_u32 16 u8 u8 u32 uint8_t uint8_t uint shaderInt8 0 255 0 255 0 4294967295 x 1
//!+  | u8_s32 16 u8 u8 s32 uint8_t uint8_t int shaderInt8 0 255 0 255 -2147483648 2147483647 x 1
//!+  | u8_s8_s32 16 u8 s8 s32 uint8_t int8_t int shaderInt8 0 255 -127 127 -2147483648 2147483647 x 1
//!+  | s8_u8_s32 16 s8 u8 s32 int8_t uint8_t int shaderInt8 -127 127 0 255 -2147483648 2147483647 -x -1
//!+  | s16_s32 16 s16 s16 s32 int16_t int16_t int shaderInt16 -11585 11585 -11585 11585 -2147483648 2147483647 -x -1
//!+  | u16_u32 16 u16 u16 u32 uint16_t uint16_t uint shaderInt16 0 16383 0 16383 0 4294967295 x 1
//!+  | s32_s32 16 s32 s32 s32 int int int cooperativeMatrix -11585 11585 -11585 11585 -2147483648 2147483647 -x -1
//!+  | u32_u32 16 u32 u32 u32 uint uint uint cooperativeMatrix 0 16383 0 16383 0 4294967295 x 1
//!+  | s8_s8 16 s8 s8 s8 int8_t int8_t int8_t shaderInt8 -2 2 -2 2 -128 127 -x -1
//!+  | u8_u8 16 u8 u8 u8 uint8_t uint8_t uint8_t shaderInt8 0 3 0 3 0 255 x 1
//!+  | s16_s16 16 s16 s16 s16 int16_t int16_t int16_t shaderInt16 -45 45 -45 45 -32768 32767 -x -1
//!+  | u16_u16 16 u16 u16 u16 uint16_t uint16_t uint16_t shaderInt16 0 63 0 63 0 65535 x 1
//!+  | s32_s8 16 s32 s32 s8 int int int8_t cooperativeMatrix -2 2 -2 2 -128 127 -x -1
//!+  | u32_u8 16 u32 u32 u8 uint uint uint8_t cooperativeMatrix 0 3 0 3 0 255 x 1
//! require cooperativeMatrix $(FEATURE) storageBuffer16BitAccess storageBuffer8BitAccess
//! require matrix 16 16 $(K) $(A) $(B) $(C) $(C) saturating
//! subgroup 32 full
//! buffer a $(A)[16 * $(K)] binding 0 = random($(LOW_A), $(HIGH_A), 1)
//! buffer b $(B)[$(K) * 16] binding 1 = random($(LOW_B), $(HIGH_B), 2)
//! buffer c $(C)[256] binding 2 = i % 3 == 0 ? $(LOW) + i % 5 : $(HIGH) - i % 5
//! buffer once $(C)[256] binding 3
//! buffer twice $(C)[256] binding 4
//! dispatch 1
//! matmul once(16, 16 row) = a(16, $(K) row) * b($(K), 16 row) + c(16, 16 row) saturating
//! check sum(k, 0, 256, @once[k] == $(HIGH)) > 10
//! check sum(k, 0, 256, @once[k] != $(HIGH)) > 10
//! expect twice[0..256] = clamp(@once[i]
//!+  + $(SIGN) * sum(k, 0, $(K), a[i / 16 * $(K) + k] * b[k * 16 + i % 16]), $(LOW), $(HIGH))
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer ABuffer { GA a[]; };
layout(binding = 1) readonly buffer BBuffer { GB b[]; };
layout(binding = 2) readonly buffer CBuffer { GC c[]; };
layout(binding = 3) writeonly buffer Once { GC once[]; };
layout(binding = 4) writeonly buffer Twice { GC twice[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

void main() {
  coopmat<GA, gl_ScopeSubgroup, 16, K, gl_MatrixUseA> x;
  coopmat<GB, gl_ScopeSubgroup, K, 16, gl_MatrixUseB> y;
  coopmat<GC, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> z;
  coopMatLoad(x, a, 0, K, row);
  coopMatLoad(y, b, 0, 16, row);
  coopMatLoad(z, c, 0, 16, row);
  z = coopMatMulAdd(x, y, z, gl_MatrixOperandsSaturatingAccumulation);
  coopMatStore(z, once, 0, 16, row);
  z = coopMatMulAdd(SECOND, y, z, gl_MatrixOperandsSaturatingAccumulation);
  coopMatStore(z, twice, 0, 16, row);
}
