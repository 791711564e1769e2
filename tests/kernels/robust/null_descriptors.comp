#version 450
// Null descriptors: reads give 0, writes are dropped, arrays have no elements.
//! require nullDescriptor shaderStorageBufferArrayNonUniformIndexing
//! robust
//! buffer nothing u32[64] binding 0 null = 5
//! buffer none u32[64] binding 1 uniform null = 6
//! buffer first u32[32] binding 2 element 0 = 100 + i
//! buffer second u32[32] binding 2 element 1 null = 200 + i
//! buffer third u32[32] binding 2 element 2 = 300 + i
//! buffer results u32[160] binding 3
//! dispatch 1
//! expect results[0..64] = 0
//! expect results[64..96] = i % 3 == 1 ? 0 : 100 * (i % 3 + 1) + i - 64
//! expect results[96..128] = i % 3 == 1 ? 0 : 32
//! expect results[128..160] = 0
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer Nothing { uint nothing[]; };
layout(binding = 1) uniform None { uvec4 none[16]; };
layout(binding = 2) readonly buffer Some { uint values[]; } some[3];
layout(binding = 3) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  uint which = (i + 64) % 3;
  results[i] = nothing[i];
  nothing[i] = 9;
  results[32 + i] = none[i % 16].x;
  results[64 + i] = some[nonuniformEXT(which)].values[i];
  results[96 + i] = some[nonuniformEXT((i + 96) % 3)].values.length();
  results[128 + i] = nothing.length();
}
