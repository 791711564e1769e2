// SPDX-License-Identifier: Apache-2.0
#version 450
// Stores of one value to one place are races if they are asked for: of lanes in one instruction, to one place or to
// several; and of the value that is there already.
//! debug
//! each BUG = 1 | 0
//! setting check race
//! setting check_race same-value
//! buffer marks u32[66] binding 0 = 1
//! dispatch 1
//! finding race device-memory times 3 * $(BUG)
//! expect marks = 1
layout(local_size_x = 64) in;
layout(binding = 0) buffer Marks { uint marks[]; };

void main() {
  uint own = gl_LocalInvocationIndex;
#if BUG
  marks[own % 8] = 1;  // finding
  marks[64] = 1;       // finding
  if (own == 0) {
    marks[8] = 1;  // finding
  } else if (own == 40) {
    marks[8] = 1;  // finding
  }
#else
  marks[own] = 1;
  if (own == 0) marks[65] = 1;
#endif
}
