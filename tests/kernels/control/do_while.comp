#version 450
// The condition is tested after the body: at least one round.
//! each OPT = off | on
//! optimize $(OPT)
//! buffer data u32[64] binding 0 = i % 17
//! buffer results u32[64] binding 1
//! dispatch 1
//! expect results = max(1, data[i]) * (max(1, data[i]) + 1) / 2
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint round = 0, total = 0;
  do {
    ++round;
    total += round;
  } while (round < data[i]);
  results[i] = total;
}
