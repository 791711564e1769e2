#version 450
// A module's variable that one function reads before another sets it decides a branch.
//! debug
//! each BUG = 1 | 0
//! setting check uninit
//! buffer results u32[64] binding 0 scratch = 9
//! dispatch 1
//! finding uninit uninit-branch times $(BUG)
//! check $(BUG) || all_bits(k, 0, 64, @results[k] == (k < 32 ? 1 : 2) ? -1 : 0) != 0
layout(local_size_x = 64) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };
uint limit;
void configure() { limit = 32; }
uint half_of(uint i) {
  if (i < limit) return 1;  // finding
  return 2;
}
void main() {
  uint i = gl_LocalInvocationID.x;
#if BUG
  uint part = half_of(i);
  configure();
#else
  configure();
  uint part = half_of(i);
#endif
  results[i] = part;
}
