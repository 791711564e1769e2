#version 450
// A function with a result returns none on one of its ways.
//! debug
//! each BUG = 1 | 0
//! setting check uninit
//! buffer results u32[64] binding 0 scratch
//! dispatch 1
//! finding uninit uninit-store times $(BUG)
//! check all_bits(k, 0, 64, ($(BUG) && k >= 40) || @results[k] == (k < 40 ? k * 3 : 0) ? -1 : 0) != 0
layout(local_size_x = 64) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };
uint tripled(uint n) {
  if (n < 40) return n * 3;
#if !BUG
  return 0;
#endif
}
void main() {
  uint i = gl_LocalInvocationID.x;
  results[i] = tripled(i);  // finding
}
