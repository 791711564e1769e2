#version 450
// A size that no multiplication has, of a matrix without a use.
//! require VK_NV_cooperative_matrix
//! subgroup 32 full
//! buffer data u32[1024] binding 0
//! refuse "no multiplication has a matrix of 24x16 float; the nearest is: 16x16x16 float"
#extension GL_NV_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer Data { float data[]; };

void main() {
  fcoopmatNV<32, gl_ScopeSubgroup, 24, 16> m;
  coopMatLoadNV(m, data, 0, 16, false);
  coopMatStoreNV(m + m, data, 0, 16, false);
}
