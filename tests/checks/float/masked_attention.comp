#version 450
// Masked numbers are infinite in the buffer, and one is taken out by a product with 0.
//! debug
//! each BUG = 1 | 0
//! setting check float
//! buffer scores f32[8] binding 0 = i < 5 ? i : -inf
//! buffer mask f32[8] binding 1 = i < 5
//! buffer results f32[8] binding 2 scratch
//! dispatch 1
//! finding float nan times $(BUG)
//! check all_bits(k, 0, 8, ($(BUG) && k >= 5) || @results[k] == (k < 5 ? k : 0) ? -1 : 0) != 0
layout(local_size_x = 8) in;
layout(binding = 0) readonly buffer Scores { float scores[]; };
layout(binding = 1) readonly buffer Mask { float mask[]; };
layout(binding = 2) writeonly buffer Results { float results[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
#if BUG
  float kept = scores[i] * mask[i];  // finding
#else
  float kept = mask[i] != 0.0 ? scores[i] : 0.0;
#endif
  results[i] = kept;
}
