#version 450
// The last structure of a buffer is not all there: its first members are, the last is not.
//! debug
//! each BUG = 1 | 0
//! setting check memory
//! buffer bodies f32[$(BUG) ? 31 : 32] binding 0 = i
//! buffer results f32[16] binding 1
//! dispatch 1
//! finding memory buffer-bounds times $(BUG) "load"
//! expect results[0..8] = 4 * i
//! expect results[8..15] = 4 * (i - 8) + 3
//! expect results[15] = $(BUG) ? 0 : 31
layout(local_size_x = 8) in;
struct Body { float x, y, z, mass; };
layout(binding = 0) readonly buffer Bodies { Body bodies[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  results[i] = bodies[i].x;
  float mass = bodies[i].mass;  // finding
  results[8 + i] = mass;
}
