#version 450
// A function with a barrier, called twice from a loop and once outside of it.
//! buffer data u32[64] binding 0 = random(0, 99, 1)
//! buffer results u32[64] binding 1
//! dispatch 1
//! expect results = data[(i + 7) % 64]
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };
shared uint stage[64];

uint rotate(uint value, uint by) {
  uint i = gl_LocalInvocationID.x;
  barrier();
  stage[i] = value;
  barrier();
  return stage[(i + by) % 64];
}

void main() {
  uint value = data[gl_LocalInvocationID.x];
  for (uint round = 1; round < 3; ++round) value = rotate(rotate(value, round), 1);
  results[gl_LocalInvocationID.x] = rotate(value, 2);
}
