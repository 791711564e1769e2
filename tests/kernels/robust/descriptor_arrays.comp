#version 450
// Indices past the end of an array of descriptors: a null descriptor is there. Storage, uniform and
// dynamic buffers; indices that are the same for all, that vary and that are constants.
//! require shaderStorageBufferArrayNonUniformIndexing shaderUniformBufferArrayNonUniformIndexing
//! require runtimeDescriptorArray
//! each NAME FAR = near 3 | far 0x10000000 | before -1
//! robust
//! tolerated
//! buffer a u32[32] binding 0 element 0 = 100 + i
//! buffer b u32[32] binding 0 element 1 = 200 + i
//! buffer c u32[32] binding 0 element 2 = 300 + i
//! buffer d u32[32] binding 1 element 0 uniform = 400 + i
//! buffer e u32[32] binding 1 element 1 uniform = 500 + i
//! buffer f u32[64] binding 2 element 0 dynamic 128 = 600 + i
//! buffer g u32[64] binding 2 element 1 dynamic 0 = 700 + i
//! buffer results u32[256] binding 3
//! push s32 $(FAR)
//! spec 0 = u32 $(FAR)
//! dispatch 1
//! expect results[0..32] = 0
//! expect results[32..64] = n % 4 == 3 ? 0 : 100 + n % 4 * 100 + n
//! expect results[64..96] = 0
//! expect results[96..128] = n % 4 >= 2 ? 0 : 400 + n % 4 * 100 + n / 4 * 4
//! expect results[128..160] = 0
//! expect results[160..192] = n % 4 >= 2 ? 0 : n % 4 == 0 ? 632 + n : 700 + n
//! expect results[192..224] = 0
//! expect results[224..256] = n % 4 == 3 ? 0 : 32
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer Some { uint values[]; } some[];
layout(binding = 1) uniform Uniform { uvec4 values[8]; } uniforms[];
layout(binding = 2) buffer Dynamic { uint values[]; } dynamics[];
layout(binding = 3) writeonly buffer Results { uint results[]; };
layout(push_constant) uniform Push { int far; };
layout(constant_id = 0) const int constant = 0;

void main() {
  const int i = int(gl_LocalInvocationIndex);
  const int away = far < 0 ? far - i : far + i;
  const int three = i % 4 == 3 ? away : i % 4;
  const int two = i % 4 >= 2 ? away : i % 4;
  some[far].values[i] = 1;
  some[constant].values[i] = 2;
  if (i % 4 == 3) some[nonuniformEXT(three)].values[i] = 3;
  dynamics[far].values[i] = 4;
  results[i] = some[far].values[i] + some[constant].values[i];
  results[32 + i] = some[nonuniformEXT(three)].values[i];
  results[64 + i] = uniforms[far].values[i / 4].x;
  results[96 + i] = uniforms[nonuniformEXT(two)].values[i / 4].x;
  results[128 + i] = dynamics[far].values[i];
  results[160 + i] = dynamics[nonuniformEXT(two)].values[i];
  results[192 + i] = some[far].values.length();
  results[224 + i] = some[nonuniformEXT(three)].values.length();
  // What these give is undefined.
  atomicAdd(some[far].values[i], 5);
  atomicAdd(some[constant].values[3], 6);
}
