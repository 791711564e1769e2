#version 450
// Tensors in Workgroup memory, in Volatile buffers, in coherent ones, whose accesses make what is
// written visible and available, and at device addresses; plain rows and clamped ones.
//! each MEMORY = shared | volatile | coherent | address
//! each FORM OFFSET = plain 0 | clamped 5
//! define MEMORY_$(MEMORY)
//! require cooperativeMatrixTensorAddressing bufferDeviceAddress vulkanMemoryModel
//! require vulkanMemoryModelDeviceScope
//! require matrix 16 16 16 f32 f32 f32 f32
//! subgroup 32 full
//! buffer source f32[256] binding 0 = random(-100, 100, 1)
//! buffer target f32[256] binding 1 = -1
//! push u32 $(OFFSET), pad 4, u64 &source, u64 &target
//! dispatch 1
//! expect target = i / 16 + $(OFFSET) < 16 && i % 16 + $(OFFSET) < 16
//!+ ? 2 * source[i + $(OFFSET) * 17] : 0
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#pragma use_vulkan_memory_model
layout(local_size_x = 32) in;
#if defined(MEMORY_volatile)
#define HOW volatile
#elif defined(MEMORY_coherent)
#define HOW devicecoherent
#else
#define HOW
#endif
layout(binding = 0) HOW readonly buffer Source { float source[]; };
layout(binding = 1) HOW buffer Target { float target[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Numbers { float numbers[]; };
layout(push_constant) uniform Push { int offset; Numbers from, to; };
shared float staged[256], result[256];

void main() {
  const int constant = gl_CooperativeMatrixClampModeConstantNV;
  tensorLayoutNV<2, constant> all = createTensorLayoutNV(2, constant);
  all = setTensorLayoutDimensionNV(all, 16, 16);
  tensorLayoutNV<2, constant> slice = sliceTensorLayoutNV(all, offset, 16, offset, 16);
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m;
#if defined(MEMORY_shared)
  const uint lane = gl_LocalInvocationIndex;
  for (uint i = lane; i < 256; i += 32) staged[i] = source[i];
  barrier();
  coopMatLoadTensorNV(m, staged, 0, slice);
  coopMatStoreTensorNV(m + m, result, 0, all);
  barrier();
  for (uint i = lane; i < 256; i += 32) target[i] = result[i];
#elif defined(MEMORY_address)
  coopMatLoadTensorNV(m, from.numbers, 0, slice);
  coopMatStoreTensorNV(m + m, to.numbers, 0, all);
#else
  coopMatLoadTensorNV(m, source, 0, slice);
  coopMatStoreTensorNV(m + m, target, 0, all);
#endif
}
