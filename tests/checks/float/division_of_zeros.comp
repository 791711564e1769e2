#version 450
// The mean of a bin that nothing fell into: 0 / 0.
//! debug
//! each BUG = 1 | 0
//! setting check float
//! buffer sums f32[64] binding 0 = i < 40 ? i * 2 : 0
//! buffer counts u32[64] binding 1 = i < 40 ? 2 : 0
//! buffer results f32[64] binding 2 scratch
//! dispatch 1
//! finding float nan times $(BUG)
//! check all_bits(k, 0, 64, ($(BUG) && k >= 40) || @results[k] == (k < 40 ? k : 0) ? -1 : 0) != 0
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Sums { float sums[]; };
layout(binding = 1) readonly buffer Counts { uint counts[]; };
layout(binding = 2) writeonly buffer Results { float results[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
  float mean = 0.0;
#if BUG
  mean = sums[i] / float(counts[i]);  // finding
#else
  if (counts[i] != 0) mean = sums[i] / float(counts[i]);
#endif
  results[i] = mean;
}
