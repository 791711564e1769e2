#version 450
// Bits are rotated by two shifts, of which the second is by the width when the first is by 0. After the shift
// tests of UndefinedBehaviorSanitizer.
//! debug
//! each BUG = 1 | 0
//! setting check float
//! buffer data u32[32] binding 0 = i + 0x10000
//! buffer results u32[32] binding 1 scratch
//! dispatch 1
//! finding float shift times $(BUG)
//! check all_bits(k, 1, 32, @results[k] == (data[k] << k | data[k] >> (32 - k)) % 4294967296 ? -1 : 0) != 0
//! check $(BUG) || @results[0] == 65536
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
  uint left = data[i] << i;
#if BUG
  uint right = data[i] >> (32 - i);  // finding
#else
  uint right = data[i] >> (-i & 31);
#endif
  results[i] = left | right;
}
