#version 450
// GL_NV_cooperative_matrix: conversions of component types, also of sizes that only A or only B has.
//! each NAME FROM TO MF GF MT GT R C = f16_f32 f16 f32 fcoopmatNV<16 float16_t fcoopmatNV<32 float 16 16
//!+  | f32_f16 f32 f16 fcoopmatNV<32 float fcoopmatNV<16 float16_t 16 16
//!+  | f32_s32 f32 s32 fcoopmatNV<32 float icoopmatNV<32 int 16 16
//!+  | u32_f32 u32 f32 ucoopmatNV<32 uint fcoopmatNV<32 float 16 16
//!+  | s32_u32 s32 u32 icoopmatNV<32 int ucoopmatNV<32 uint 16 16
//!+  | s32_s16 s32 s16 icoopmatNV<32 int icoopmatNV<16 int16_t 16 16
//!+  | u16_u32 u16 u32 ucoopmatNV<16 uint16_t ucoopmatNV<32 uint 16 16
//!+  | s8_u8_a s8 u8 icoopmatNV<8 int8_t ucoopmatNV<8 uint8_t 16 32
//!+  | u8_s8_b u8 s8 ucoopmatNV<8 uint8_t icoopmatNV<8 int8_t 32 16
//! require VK_NV_cooperative_matrix shaderFloat16 shaderInt8 shaderInt16
//! require storageBuffer16BitAccess storageBuffer8BitAccess
//! require matrix 16 16 16 f32 f32 f32 f32
//! require matrix 16 16 32 s8 s8 s32 s32
//! buffer source $(FROM)[512] binding 0 = random(0.0, 2000.0, 1)
//! buffer result $(TO)[512] binding 1 = 1
//! subgroup 32 full
//! dispatch 1
//! expect result[0..$(R) * $(C)] = source[i]
#extension GL_NV_cooperative_matrix : require
#extension GL_NV_integer_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Source { GF source[]; };
layout(binding = 1) writeonly buffer Result { GT result[]; };

void main() {
  $(MF), gl_ScopeSubgroup, R, C> m;
  coopMatLoadNV(m, source, 0, C, false);
  coopMatStoreNV($(MT), gl_ScopeSubgroup, R, C>(m), result, 0, C, false);
}
