#version 450
// vkCmdDispatchIndirect: the counts come from a buffer.
//! buffer counts u32[4] = { 99, 3, 2, 1 }
//! buffer results u32[64] binding 0 = 0
//! dispatch indirect counts 4
//! expect results[0..48] = 32 + i % 8
//! expect results[48..64] = 0
layout(local_size_x = 8) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };

void main() {
  uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  results[group * 8 + gl_LocalInvocationID.x] =
      gl_NumWorkGroups.x * 10 + gl_NumWorkGroups.y + gl_LocalInvocationIndex;
}
