#version 450
// GL_NV_cooperative_matrix: a matrix without a use has the component layout of an accumulator if some
// multiplication can have it there, else of A or of B. ROW and COLUMN are those of component j / 32
// of invocation j % 32.
//! each NAME LAYOUT M G T R C ROW COLUMN
//!+  = native native fcoopmatNV<16 float16_t f16 16 16 j/16 j%16
//!+  | nvidia_c nvidia fcoopmatNV<16 float16_t f16 16 16 j/128*8+j%32/4 j/64%2*8+j%4*2+j/32%2
//!+  | nvidia_a nvidia icoopmatNV<8 int8_t s8 16 32 j/256*8+j%32/4 j/128%2*16+j%4*4+j/32%4
//!+  | nvidia_b nvidia icoopmatNV<8 int8_t s8 32 16 j/128%2*16+j%4*4+j/32%4 j/256*8+j%32/4
//!+  | ptx_c ptx fcoopmatNV<16 float16_t f16 16 16 j/64%2*8+j%32/4 j/128*8+j%4*2+j/32%2
//!+  | ptx_a ptx icoopmatNV<8 int8_t s8 16 32 j/128%2*8+j%32/4 j/256*16+j%4*4+j/32%4
//! require VK_NV_cooperative_matrix shaderFloat16 shaderInt8 storageBuffer16BitAccess
//! require storageBuffer8BitAccess
//! setting component_layout $(LAYOUT)
//! subgroup 32 full
//! buffer source $(T)[$(R) * $(C)] binding 0 = i % 101
//! buffer found s32[$(R) * $(C)] binding 1 scratch
//! dispatch 1
//! check count(j, 0, $(R) * $(C), @found[j] == (($(ROW)) * $(C) + $(COLUMN)) % 101) == $(R) * $(C)
#extension GL_NV_cooperative_matrix : require
#extension GL_NV_integer_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Source { G source[]; };
layout(binding = 1) writeonly buffer Found { int found[]; };

void main() {
  $(M), gl_ScopeSubgroup, R, C> m;
  coopMatLoadNV(m, source, 0, C, false);
  for (uint k = 0; k < m.length(); ++k) found[k * 32 + gl_LocalInvocationIndex] = int(m[k]);
}
