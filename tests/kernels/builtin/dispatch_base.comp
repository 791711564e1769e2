#version 450
// vkCmdDispatchBase: ids start at the base.
//! buffer results u32[96] binding 0 = 0
//! dispatch 2 1 1 base 3 0 0
//! expect results[0..48] = 0
//! expect results[48..80] = 100 * (i / 16) + i % 16 + 10000 * i
//! expect results[80..96] = 0
layout(local_size_x = 16) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  results[i] = 100 * gl_WorkGroupID.x + gl_LocalInvocationID.x + 10000 * i;
}
