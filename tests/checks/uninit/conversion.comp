#version 450
// A number without a value is doubled, rounded and made an integer before it decides a branch.
//! debug
//! each BUG = 1 | 0
//! setting check uninit
//! buffer results u32[64] binding 0 scratch = 9
//! dispatch 1
//! finding uninit uninit-branch times $(BUG)
//! check $(BUG) || all_bits(k, 0, 64, @results[k] == (k >= 8 ? 1 : 0) ? -1 : 0) != 0
layout(local_size_x = 64) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
  float number;
#if BUG
  if (i != 9) number = float(i);
#else
  number = float(i);
#endif
  double wide = double(number) * 2.0;
  int rounded = int(round(float(wide)));
  uint result = 0;
  if (rounded > 15) result = 1;  // finding
  results[i] = result;
}
