#version 450
// Every invocation takes its own number of rounds (steps of the Collatz sequence).
//! each OPT = off | on
//! optimize $(OPT)
//! buffer results u32[32] binding 0
//! dispatch 1
//! expect results = { 0, 0, 1, 7, 2, 5, 8, 16, 3, 19, 6, 14, 9, 9, 17, 17, 4, 12, 20, 20, 7, 7, 15, 15, 10, 23, 10, 111, 18, 18, 18, 106 }
layout(local_size_x = 32) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };

void main() {
  uint x = gl_GlobalInvocationID.x, steps = 0;
  while (x > 1) {
    x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    ++steps;
  }
  results[gl_GlobalInvocationID.x] = steps;
}
