#version 450
// Matrices that there are, in a multiplication that there is not.
//! require VK_NV_cooperative_matrix shaderFloat16
//! require matrix 16 16 16 f16 f16 f32 f32
//! require matrix 16 16 16 f32 f32 f32 f32
//! subgroup 32 full
//! buffer data u32[1024] binding 0
//! refuse "16x16x16 float16_t \* float \+ float -> float, subgroup is not supported; the nearest that is: 16x16x16"
#extension GL_NV_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer Data { float data[]; };

void main() {
  fcoopmatNV<16, gl_ScopeSubgroup, 16, 16> a;
  fcoopmatNV<32, gl_ScopeSubgroup, 16, 16> b, c;
  coopMatLoadNV(a, data, 0, 16, false);
  coopMatLoadNV(b, data, 0, 16, false);
  c = fcoopmatNV<32, gl_ScopeSubgroup, 16, 16>(0.0);
  coopMatStoreNV(coopMatMulAddNV(a, b, c), data, 0, 16, false);
}
