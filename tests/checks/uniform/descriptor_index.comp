#version 450
// Invocations choose different buffers of an array; without nonuniformEXT the index must be the
// same for all of them. After the sample descriptor_indexing of Khronos' Vulkan-Samples.
//! debug
//! each BUG = 1 | 0
//! setting check uniform
//! require shaderStorageBufferArrayNonUniformIndexing
//! buffer even u32[64] binding 0 element 0 = 1000 + i
//! buffer odd u32[64] binding 0 element 1 = 2000 + i
//! buffer results u32[64] binding 1
//! dispatch 1
//! finding uniform nonuniform-operand times $(BUG)
//! expect results = $(BUG) ? @results[i] : 1000 * (i % 2 + 1) + i
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Numbers { uint numbers[]; } buffers[2];
layout(binding = 1) writeonly buffer Results { uint results[]; };
#if BUG
#define INDEX(i) i
#else
#define INDEX(i) nonuniformEXT(i)
#endif

void main() {
  uint i = gl_LocalInvocationIndex;
  results[i] = buffers[INDEX(i % 2)].numbers[i];  // finding
}
