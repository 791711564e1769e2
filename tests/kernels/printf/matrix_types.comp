#version 450
// debugPrintfEXT of whole cooperative matrices of every use, scope and component type (those of 64 bits,
// which GLSL has no matrices of, are in matrix_64_bits.spvasm): once for all who hold one together.
//! each TYPE GLSL FORMAT FEATURE = f16 float16_t %2.0f shaderFloat16
//!+  | bf16 bfloat16_t %2.0f shaderBFloat16CooperativeMatrix
//!+  | e4m3 floate4m3_t %2.0f shaderFloat8CooperativeMatrix
//!+  | e5m2 floate5m2_t %2g shaderFloat8CooperativeMatrix
//!+  | f32 float %2.0f cooperativeMatrix
//!+  | s8 int8_t %2d shaderInt8
//!+  | u8 uint8_t %2u shaderInt8
//!+  | s16 int16_t %2i shaderInt16
//!+  | u16 uint16_t %2d shaderInt16
//!+  | s32 int %2d cooperativeMatrix
//!+  | u32 uint %2u cooperativeMatrix
//! each USE = A | B | Accumulator
//! each SCOPE HELD TIMES = Subgroup 0 4 | Workgroup 128 1
//! require $(FEATURE) storageBuffer16BitAccess storageBuffer8BitAccess
//! require cooperativeMatrixFlexibleDimensions cooperativeMatrixWorkgroupScope
//! require matrix_type 8 16 $(USE) $(TYPE) invocations $(HELD)
//! buffer data $(TYPE)[128] binding 0 = (i + i / 16) % 8
//! subgroup 32 full
//! dispatch 1
//! prints "^matrix 1:. 0,  1,  2,  3,  4,  5,  6,  7,  0,  1,  2,  3,  4,  5,  6,  7. 1,  2(,  [0-7]){13},  0. 2,  3(,  [0-7]){13},  1. 3(,  [0-7]){15}. 4(,  [0-7]){15}. 5(,  [0-7]){15}. 6(,  [0-7]){15}. 7,  0(,  [0-7]){13},  6$" times $(TIMES)
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
#extension GL_EXT_float_e4m3 : require
#extension GL_EXT_float_e5m2 : require
#extension GL_EXT_debug_printf : require
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer Data { $(GLSL) data[]; };

void main() {
  coopmat<$(GLSL), gl_Scope$(SCOPE), 8, 16, gl_MatrixUse$(USE)> m;
  coopMatLoad(m, data, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  debugPrintfEXT("matrix %d:$(FORMAT)", 1, m);
}
