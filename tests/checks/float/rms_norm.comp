#version 450
// The inverse square root of the mean square of a row of zeros; in the twin something small is added.
//! debug
//! each BUG EPSILON = 1 0.0 | 0 1e-6
//! setting check float
//! buffer rows f32[32] binding 0 = i < 16 ? 2 : 0
//! buffer results f32[2] binding 1 scratch
//! dispatch 1
//! finding float infinity times $(BUG)
//! check abs(@results[0] - 0.5) < 0.001 && ($(BUG) || abs(@results[1] - 1000) < 1)
layout(local_size_x = 2) in;
layout(binding = 0) readonly buffer Rows { float rows[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
  float squares = 0.0;
  for (uint k = 0; k < 16; ++k) squares += rows[16 * i + k] * rows[16 * i + k];
  results[i] = inversesqrt(squares / 16.0 + EPSILON);  // finding
}
