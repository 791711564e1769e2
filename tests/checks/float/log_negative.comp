#version 450
// The logarithm of differences, one of which is negative.
//! debug
//! each BUG = 1 | 0
//! setting check float
//! buffer data f32[64] binding 0 = i
//! buffer results f32[64] binding 1 scratch
//! dispatch 1
//! finding float nan times $(BUG)
//! check $(BUG) || @results[0] == 0 && @results[2] == 0
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
  float difference = data[i] - 1.0;
#if BUG
  results[i] = log(i == 1 ? 1.0 : difference);  // finding
#else
  results[i] = log(i == 1 ? 1.0 : abs(difference));
#endif
}
