#version 450
// Only branches are asked for: an index and a result without a value go on, through a buffer into the second
// dispatch, where they decide one.
//! debug
//! each BUG = 1 | 0
//! setting check uninit
//! setting check_uninit branch
//! buffer numbers u32[64] binding 0 scratch
//! buffer results u32[64] binding 1 scratch = 9
//! push u32 0
//! dispatch 1
//! push u32 1
//! dispatch 1
//! finding uninit uninit-branch times $(BUG)
//! check $(BUG) || all_bits(k, 0, 64, @results[k] == (k > 4 ? 1 : 2) ? -1 : 0) != 0
layout(local_size_x = 64) in;
layout(binding = 0) buffer Numbers { uint numbers[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };
layout(push_constant) uniform Push { uint turn; };
void main() {
  uint i = gl_LocalInvocationID.x;
  if (turn == 0) {
    uint parts[4] = uint[](0, 1, 2, 3);
    uint part;
#if !BUG
    part = i % 4;
#endif
    numbers[i] = i + parts[part & 3] - (part & 3);
    return;
  }
  uint number = numbers[i];
  uint result = 2;
  if (number > 4) result = 1;  // finding
  results[i] = result;
}
