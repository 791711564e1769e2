#version 450
// The entropy of a distribution with a zero: log(0) is the infinity that is born, and 0 * log(0) the NaN.
//! debug
//! each BUG = 1 | 0
//! setting check float
//! buffer data f32[4] binding 0 = { 0.5, 0.25, 0.25, 0 }
//! buffer results f32[1] binding 1 scratch
//! dispatch 1
//! finding float infinity times $(BUG)
//! finding float nan times $(BUG)
//! check $(BUG) || @results[0] == 1.5
layout(local_size_x = 1) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };
void main() {
  float entropy = 0.0;
  for (uint k = 0; k < 4; ++k) {
    float p = data[k];
#if BUG
    float bits = log2(p);  // finding
    float part = p * bits;  // finding
    entropy -= part;
#else
    if (p > 0.0) {
      float bits = log2(p);
      float part = p * bits;
      entropy -= part;
    }
#endif
  }
  results[0] = entropy;
}
