#version 450
// The angle between a vector and itself, whose cosine rounding takes past 1.
//! debug
//! each BUG = 1 | 0
//! setting check float
//! buffer cosines f32[4] binding 0 = { 0, 0.5, 1.0000002, -1 }
//! buffer results f32[4] binding 1 scratch
//! dispatch 1
//! finding float nan times $(BUG)
//! check $(BUG) || abs(@results[2]) < 0.001
//! check abs(@results[0] - pi / 2) < 0.001 && abs(@results[3] - pi) < 0.001
layout(local_size_x = 4) in;
layout(binding = 0) readonly buffer Cosines { float cosines[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
#if BUG
  results[i] = acos(cosines[i]);  // finding
#else
  results[i] = acos(clamp(cosines[i], -1.0, 1.0));
#endif
}
