#version 450
// debugPrintfEXT of a matrix of GL_NV_cooperative_matrix.
//! require VK_NV_cooperative_matrix
//! require matrix 16 16 16 f32 f32 f32 f32
//! buffer data f32[256] binding 0 = i
//! subgroup 32 full
//! dispatch 1
//! prints "^m.  0[.]5,   1[.]5,.* 255[.]5$"
#extension GL_NV_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_debug_printf : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Data { float data[]; };

void main() {
  fcoopmatNV<32, gl_ScopeSubgroup, 16, 16> m;
  coopMatLoadNV(m, data, 0, 16, false);
  debugPrintfEXT("m%.1f", m + fcoopmatNV<32, gl_ScopeSubgroup, 16, 16>(0.5));
}
