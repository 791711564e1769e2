#version 450
// A stencil reads the border of its tile, which only the twin fills.
//! debug
//! each BUG = 1 | 0
//! setting check uninit
//! buffer data s32[64] binding 0 = i
//! buffer results s32[64] binding 1 scratch
//! dispatch 1
//! finding uninit uninit-store times $(BUG)
//! check all_bits(k, 1, 63, @results[k] == 3 * k ? -1 : 0) != 0
//! check $(BUG) || @results[0] == 1 && @results[63] == 125
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { int data[]; };
layout(binding = 1) writeonly buffer Results { int results[]; };
shared int tile[66];
void main() {
  uint i = gl_LocalInvocationID.x;
  tile[i + 1] = data[i];
#if !BUG
  if (i < 2) tile[i * 65] = 0;
#endif
  barrier();
  results[i] = tile[i] + tile[i + 1] + tile[i + 2];  // finding
}
