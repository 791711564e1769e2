#version 450
// Load in one layout and store in the other: a transposition, for every type and use.
//! each NAME T G USE R C FEATURE = f16_a f16 float16_t A 16 16 shaderFloat16
//!+  | f16_b f16 float16_t B 16 16 shaderFloat16 | f16_c f16 float16_t Accumulator 16 16 shaderFloat16
//!+  | bf16_a bf16 bfloat16_t A 16 16 shaderBFloat16CooperativeMatrix
//!+  | bf16_b bf16 bfloat16_t B 16 16 shaderBFloat16CooperativeMatrix
//!+  | f32_a f32 float A 16 16 cooperativeMatrix | f32_c f32 float Accumulator 16 16 cooperativeMatrix
//!+  | s8_a s8 int8_t A 16 32 shaderInt8 | s8_b s8 int8_t B 32 16 shaderInt8
//!+  | u8_a u8 uint8_t A 16 32 shaderInt8 | u8_b u8 uint8_t B 32 16 shaderInt8
//!+  | s32_c s32 int Accumulator 16 16 shaderInt8 | u32_c u32 uint Accumulator 16 16 shaderInt8
//! each FROM TO = row column | column row
//! define FROM_$(FROM)
//! require cooperativeMatrix $(FEATURE) storageBuffer16BitAccess storageBuffer8BitAccess
//! buffer source $(T)[$(R) * $(C)] binding 0 = random(-100, 100, 1)
//! buffer row_to_column $(T)[$(R) * $(C)] = source[(i % $(R)) * $(C) + i / $(R)]
//! buffer column_to_row $(T)[$(R) * $(C)] = source[(i % $(C)) * $(R) + i / $(C)]
//! buffer result $(T)[$(R) * $(C)] binding 1
//! subgroup 32 full
//! dispatch 1
//! expect result = $(FROM)_to_$(TO)[i]
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Source { G source[]; };
layout(binding = 1) writeonly buffer Result { G result[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;

void main() {
  coopmat<G, gl_ScopeSubgroup, R, C, gl_MatrixUse$(USE)> m;
  coopMatLoad(m, source, 0, FROM == row ? C : R, FROM);
  coopMatStore(m, result, 0, TO == row ? C : R, TO);
}
