#version 450
// GL_NV_cooperative_matrix: matrices in buffers, shared memory and behind device addresses. Offset
// and stride count what the pointer leads to, here uvec4 and uint.
//! require VK_NV_cooperative_matrix shaderFloat16 storageBuffer16BitAccess bufferDeviceAddress
//! require vulkanMemoryModel
//! require matrix 16 16 16 f16 f16 f32 f32
//! each STRIDE = 32 | 40
//! subgroup 32 full
//! buffer a f16[1024] binding 0 = random(-9.0, 9.0, 1)
//! buffer b f16[1024] = random(-9.0, 9.0, 2)
//! buffer d f32[512] binding 1 = 3
//! push u64 &b
//! dispatch 1
//! matmul d(16, 16 row stride 32 offset 16) = a(16, 16 row stride $(STRIDE) offset 8) * b(16, 16 column stride 24 offset 2)
//! expect d[0..16] = 3
//! expect d[32..48] = 3
#extension GL_NV_cooperative_matrix : require
#extension GL_NV_integer_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_buffer_reference : require
#pragma use_vulkan_memory_model
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer ABuffer { uvec4 a[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) coherent buffer BBuffer { uint b[]; };
layout(binding = 1) coherent buffer DBuffer { uvec4 d[]; };
layout(push_constant) uniform Push { BBuffer right; };
shared uvec4 staged[16 * STRIDE / 8];
#define HALVES fcoopmatNV<16, gl_ScopeSubgroup, 16, 16>
#define FLOATS fcoopmatNV<32, gl_ScopeSubgroup, 16, 16>

void main() {
  for (uint k = gl_LocalInvocationIndex; k < 16 * STRIDE / 8; k += 32) staged[k] = a[k];
  barrier();
  HALVES x, y;
  coopMatLoadNV(x, staged, 1, STRIDE / 8, false);
  coopMatLoadNV(y, right.b, 1, 12, true);
  coopMatStoreNV(coopMatMulAddNV(x, y, FLOATS(0.0)), d, 4, 8, false);
}
