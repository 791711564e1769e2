#version 450
// Invocations mark which remainders there are: several of a subgroup store the same number to one place, in one
// instruction. That is no finding, other numbers are.
//! debug
//! each BUG VALUE = 1 own | 0 1
//! setting check race
//! buffer marks u32[8] binding 0 = 0
//! dispatch 1
//! finding race device-memory times $(BUG)
//! expect marks = $(BUG) ? @marks[i] : 1
layout(local_size_x = 32) in;
layout(binding = 0) buffer Marks { uint marks[]; };

void main() {
  uint own = gl_LocalInvocationIndex;
  marks[own % 8] = VALUE;  // finding
}
