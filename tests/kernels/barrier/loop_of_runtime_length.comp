#version 450
// The number of rounds with barriers comes from memory and differs between workgroups.
//! buffer rounds u32[4] binding 0 = { 0, 1, 5, 9 }
//! buffer results u32[256] binding 1
//! dispatch 4
//! expect results = (i % 64 + rounds[i / 64]) % 64
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Rounds { uint rounds[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };
shared uint stage[64];

void main() {
  uint i = gl_LocalInvocationID.x;
  stage[i] = i;
  barrier();
  for (uint round = 0; round < rounds[gl_WorkGroupID.x]; ++round) {
    uint next = stage[(i + 1) % 64];
    barrier();
    stage[i] = next;
    barrier();
  }
  results[gl_GlobalInvocationID.x] = stage[i];
}
