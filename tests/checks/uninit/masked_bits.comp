#version 450
// The flags of a word are set by and and or, as in registers; the twin clears those that have no value, too.
// After MemorySanitizer's tests of and and or.
//! debug
//! each BUG KEEP = 1 0xff | 0 0xf
//! setting check uninit
//! buffer results u32[64] binding 0 scratch = 9
//! dispatch 1
//! finding uninit uninit-branch times $(BUG)
//! check $(BUG) || all_bits(k, 0, 64, @results[k] == (k % 16 == 3) ? -1 : 0) != 0
layout(local_size_x = 64) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
  uint flags;
  flags = (flags & ~0xfu) | (i & 0xf);
  flags &= KEEP;
  flags |= flags << 8;
  uint result = 0;
  if ((flags >> 8) == 3) result = 1;  // finding
  results[i] = result;
}
