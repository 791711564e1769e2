#version 450
// A buffer is set to 0 as if its size were given in bytes, which leaves three quarters out; a second dispatch
// adds to all of it. After compute-sanitizer's sample of initcheck (memset of too few bytes).
//! debug
//! each BUG = 1 | 0
//! setting check uninit
//! buffer data u32[64] binding 0 scratch unwritten
//! push u32 0
//! dispatch 1
//! push u32 1
//! dispatch 1
//! finding uninit uninit-store times $(BUG)
//! check all_bits(k, 0, $(BUG) ? 16 : 64, @data[k] == 7 ? -1 : 0) != 0
layout(local_size_x = 64) in;
layout(binding = 0) buffer Data { uint data[]; };
layout(push_constant) uniform Push { uint turn; };
void main() {
  uint i = gl_LocalInvocationID.x;
  if (turn == 0) {
#if BUG
    if (i < data.length() / 4) data[i] = 0;
#else
    if (i < data.length()) data[i] = 0;
#endif
  } else {
    data[i] = data[i] + 7;  // finding
  }
}
