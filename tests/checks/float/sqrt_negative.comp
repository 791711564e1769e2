#version 450
// A variance as the difference of two sums, which rounding makes a little less than 0.
//! debug
//! each BUG = 1 | 0
//! setting check float
//! buffer data f32[3] binding 0 = { 0.1, 0.1, 0.1 }
//! buffer results f32[1] binding 1 scratch
//! dispatch 1
//! finding float nan times $(BUG)
//! check $(BUG) || @results[0] == 0
layout(local_size_x = 1) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };
void main() {
  float sum = 0.0, squares = 0.0;
  for (uint k = 0; k < 3; ++k) {
    sum += data[k];
    squares += data[k] * data[k];
  }
  float mean = sum / 3.0;
  float variance = squares / 3.0 - mean * mean - 1e-9;
#if BUG
  results[0] = sqrt(variance);  // finding
#else
  results[0] = sqrt(max(variance, 0.0));
#endif
}
