#version 450
// The selector of a switch is a component that only some invocations set.
//! debug
//! each BUG = 1 | 0
//! setting check uninit
//! buffer results u32[64] binding 0 scratch = 9
//! dispatch 1
//! finding uninit uninit-branch times $(BUG)
//! check $(BUG) || all_bits(k, 0, 64, @results[k] == (k % 2 == 0 ? k % 4 + 10 : 20) ? -1 : 0) != 0
layout(local_size_x = 64) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
  uvec2 kind;
  if (i % 2 == 0) kind.y = i % 4;
#if !BUG
  else kind.y = 7;
#endif
  uint result = 20;
  switch (kind.y) {  // finding
    case 0: result = 10; break;
    case 2: result = 12; break;
  }
  results[i] = result;
}
