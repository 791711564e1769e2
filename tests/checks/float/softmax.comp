#version 450
// Softmax without the largest number taken off: exp gives infinity, and infinity over infinity is no number.
//! debug
//! each BUG = 1 | 0
//! setting check float
//! buffer data f32[8] binding 0 = i == 3 ? 100 : i
//! buffer results f32[8] binding 1 scratch
//! dispatch 1
//! finding float infinity times $(BUG)
//! finding float nan times $(BUG)
//! check $(BUG) || @results[3] == 1
layout(local_size_x = 1) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };
void main() {
  float largest = 0.0;
#if !BUG
  for (uint k = 0; k < 8; ++k) largest = max(largest, data[k]);
#endif
  float powers[8];
  float sum = 0.0;
  for (uint k = 0; k < 8; ++k) {
    powers[k] = exp(data[k] - largest);  // finding
    sum += powers[k];
  }
  for (uint k = 0; k < 8; ++k) {
    results[k] = powers[k] / sum;  // finding
  }
}
