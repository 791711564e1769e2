#version 450
// Each invocation chooses its own descriptor out of arrays of storage and uniform buffers, one of
// which has no length of its own.
//! require shaderStorageBufferArrayNonUniformIndexing runtimeDescriptorArray
//! require shaderUniformBufferArrayNonUniformIndexing
//! buffer s0 u32[64] binding 0 element 0 = 1000 + i
//! buffer s1 u32[64] binding 0 element 1 = 2000 + i
//! buffer s2 u32[64] binding 0 element 2 = 3000 + i
//! buffer u0 u32[64] binding 1 element 0 uniform = 10 + i
//! buffer u1 u32[64] binding 1 element 1 uniform = 20 + i
//! buffer results u32[128] binding 2
//! dispatch 1
//! expect results[0..64] = 1000 * (i * 7 % 3 + 1) + i
//! expect results[64..128] = 10 * (i % 5 / 3 + 1) + (i - 64) / 16 * 4
//! expect s0 = i * 7 % 3 == 0 ? 1 : 1000 + i
//! expect s1 = i * 7 % 3 == 1 ? 1 : 2000 + i
//! expect s2 = i * 7 % 3 == 2 ? 1 : 3000 + i
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer Storage { uint values[]; } storage_buffers[];
layout(binding = 1) uniform Uniform { uvec4 values[16]; } uniform_buffers[2];
layout(binding = 2) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  uint which = i * 7 % 3;
  results[i] = storage_buffers[nonuniformEXT(which)].values[i];
  storage_buffers[nonuniformEXT(which)].values[i] = 1;
  results[64 + i] = uniform_buffers[nonuniformEXT((i + 64) % 5 / 3)].values[i / 16].x;
}
