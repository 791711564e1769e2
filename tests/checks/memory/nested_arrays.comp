#version 450
// An index past the inner of two arrays, which stays in the outer. After GPU-assisted validation's
// Array2DInner.
//! debug
//! each BUG = 1 | 0
//! setting check memory
//! buffer columns u32[2] binding 0 = i == 0 ? 3 + $(BUG) : 0
//! buffer results u32[8] binding 1
//! dispatch 1
//! finding memory array-bounds times $(BUG) "store"
//! expect results[0..4] = i == 3 && $(BUG) == 0 ? 50 : 0
//! expect results[4] = 60
//! expect results[5..8] = 0
layout(local_size_x = 2) in;
layout(binding = 0) readonly buffer Columns { uint columns[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };
shared uint table[2][4];

void main() {
  uint i = gl_LocalInvocationIndex;
  for (uint k = 0; k < 4; ++k) table[i][k] = 0;
  barrier();
  if (i == 0) {
    table[0][columns[0]] = 50;  // finding
    table[1][columns[1]] = 60;
  }
  barrier();
  for (uint k = 0; k < 4; ++k) results[4 * i + k] = table[i][k];
}
