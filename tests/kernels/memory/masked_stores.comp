#version 450
// Invocations that are switched off neither store nor load out of bounds.
//! buffer data u32[50] binding 0 = random(0, 99, 1)
//! buffer results u32[50] binding 1 = 7
//! dispatch 1
//! expect results = i % 2 == 0 ? data[i] : 7
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < 50 && i % 2 == 0) results[i] = data[i];
}
