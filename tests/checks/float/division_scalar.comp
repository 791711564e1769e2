#version 450
// Unsigned division by an element that is 0. After GPU-assisted validation's tests of its shader sanitizer.
//! debug
//! each BUG = 1 | 0
//! setting check float
//! buffer data u32[64] binding 0 = i
//! buffer results u32[64] binding 1 scratch
//! dispatch 1
//! finding float division times $(BUG)
//! check all_bits(k, 1, 64, @results[k] == 1000 / k ? -1 : 0) != 0
//! check $(BUG) || @results[0] == 1000
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
#if BUG
  results[i] = 1000 / data[i];  // finding
#else
  results[i] = 1000 / max(data[i], 1);
#endif
}
