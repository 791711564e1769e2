#version 450
// How often a loop runs is read from an array one past what was counted.
//! debug
//! each BUG = 1 | 0
//! setting check uninit
//! buffer results u32[4] binding 0 scratch
//! dispatch 1
//! finding uninit uninit-branch times $(BUG)
//! check $(BUG) || all_bits(k, 0, 4, @results[k] == k ? -1 : 0) != 0
layout(local_size_x = 4) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
  uint counts[5];
  for (uint k = 0; k < 4; ++k) counts[k] = k;
  uint limit = min(counts[i + BUG], 8);
  uint turns = 0;
  for (uint k = 0; k < limit; ++k) ++turns;  // finding
  results[i] = turns;
}
