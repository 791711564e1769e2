#version 450
// Which of two values is taken is known, and one of them has a value. After MemorySanitizer's tests of selects.
//! debug
//! each BUG = 1 | 0
//! setting check uninit
//! buffer results u32[64] binding 0 scratch
//! dispatch 1
//! finding uninit uninit-store times $(BUG)
//! check all_bits(k, 0, 64, ($(BUG) && k == 63) || @results[k] == k * 5 ? -1 : 0) != 0
layout(local_size_x = 64) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
  uvec2 nothing;
  uvec2 both = mix(nothing, uvec2(i * 5, i), lessThan(uvec2(i), uvec2(BUG == 1 ? 63 : 64, 32)));
  results[i] = both.x;  // finding
}
