#version 450
// A vector of which the buffer has the first three components only.
//! debug
//! each BUG = 1 | 0
//! setting check memory
//! buffer data f32[$(BUG) ? 15 : 16] binding 0 = 1 + i
//! buffer results f32[4] binding 1
//! dispatch 1
//! finding memory buffer-bounds times $(BUG) "16 bytes"
//! expect results[0..3] = 4 * i + 1
//! expect results[3] = $(BUG) ? @results[3] : 13
layout(local_size_x = 4) in;
layout(binding = 0) readonly buffer Data { vec4 data[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  vec4 v = data[i];  // finding
  results[i] = v.x + 0.0 * (v.y + v.z + v.w);
}
