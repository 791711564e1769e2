#version 450
// GL_NV_cooperative_matrix: components outside the buffer load as 0 and are not stored.
//! require VK_NV_cooperative_matrix cooperativeMatrixRobustBufferAccess
//! require matrix 16 16 16 f32 f32 f32 f32
//! robust
//! buffer a f32[256] binding 0 range 512 = 1 + i
//! buffer d f32[256] binding 1 range 768 = 5
//! subgroup 32 full
//! dispatch 1
//! expect d = i < 128 ? 1 + i : i < 192 ? 0 : 5
#extension GL_NV_cooperative_matrix : require
#extension GL_NV_integer_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer ABuffer { float a[]; };
layout(binding = 1) writeonly buffer DBuffer { float d[]; };

void main() {
  fcoopmatNV<32, gl_ScopeSubgroup, 16, 16> m;
  coopMatLoadNV(m, a, 0, 16, false);
  coopMatStoreNV(m, d, 0, 16, false);
}
