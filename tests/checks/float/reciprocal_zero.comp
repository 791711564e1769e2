#version 450
// The force between a particle and itself: 1 / 0.
//! debug
//! each BUG SOFTENING = 1 0.0 | 0 0.25
//! setting check float
//! buffer places f32[8] binding 0 = i
//! buffer results f32[8] binding 1 scratch
//! dispatch 1
//! finding float infinity times $(BUG)
//! check $(BUG) || @results[3] == 4 && @results[2] == f32(0.8)
layout(local_size_x = 8) in;
layout(binding = 0) readonly buffer Places { float places[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
  float distance = places[i] - places[3];
  float square = distance * distance + SOFTENING;
  results[i] = 1.0 / square;  // finding
}
