#version 450
// A window of the left neighbour: the first invocation looks at -1, which is in the buffer but before
// the descriptor's offset.
//! debug
//! each BUG = 1 | 0
//! setting check memory
//! buffer data s32[128] binding 0 at 256 = 1 + i
//! buffer results s32[64] binding 1
//! dispatch 1
//! finding memory buffer-bounds times $(BUG) "load"
//! expect results[0] = $(BUG) ? 65 : 130
//! expect results[1..64] = 129 + 2 * i
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { int data[]; };
layout(binding = 1) writeonly buffer Results { int results[]; };

void main() {
  int i = int(gl_GlobalInvocationID.x);
#if BUG
  int left = data[i - 1];  // finding
#else
  int left = data[max(i - 1, 0)];
#endif
  results[i] = data[i] + left;
}
