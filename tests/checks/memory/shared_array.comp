#version 450
// An index from a buffer into a Workgroup array, one too large. After GPU-assisted validation's
// Simple1DArray.
//! debug
//! each BUG = 1 | 0
//! setting check memory
//! buffer places u32[32] binding 0 = i == 5 ? 31 + $(BUG) : (i == 31 ? 5 : i)
//! buffer results u32[32] binding 1
//! dispatch 1
//! finding memory variable-bounds times $(BUG) "store"
//! expect results = i == 5 ? 131 : i == 31 ? ($(BUG) ? 99 : 105) : 100 + i
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Places { uint places[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };
shared uint staged[32];

void main() {
  uint i = gl_LocalInvocationIndex;
  staged[i] = 99;
  barrier();
  staged[places[i]] = 100 + i;  // finding
  barrier();
  results[i] = staged[i];
}
