#version 450
// An array of storage buffers, indexed by a push constant and by a constant.
//! require shaderStorageBufferArrayDynamicIndexing
//! buffer first u32[64] binding 0 element 0 = 100 + i
//! buffer second u32[64] binding 0 element 1 = 200 + i
//! buffer third u32[64] binding 0 element 2 = 300 + i
//! buffer results u32[128] binding 1
//! push u32 1
//! dispatch 1
//! expect results[0..64] = 200 + n
//! expect results[64..128] = 300 + n
layout(local_size_x = 64) in;
layout(push_constant) uniform Push { uint which; };
layout(binding = 0) readonly buffer Data { uint values[]; } data[3];
layout(binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  results[i] = data[which].values[i];
  results[i + 64] = data[2].values[i];
}
