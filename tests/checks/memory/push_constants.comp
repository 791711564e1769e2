#version 450
// An index past the array at the end of the push constants.
//! debug
//! each BUG = 1 | 0
//! setting check memory
//! buffer results u32[8] binding 0
//! push u32 7 + $(BUG), u32 10, u32 11, u32 12, u32 13, u32 14, u32 15, u32 16, u32 17
//! dispatch 1
//! finding memory variable-bounds times $(BUG) "load"
//! expect results[0] = 10
//! expect results[1..8] = i == 7 && $(BUG) ? 0 : 10 + i
layout(local_size_x = 8) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };
layout(push_constant) uniform Push { uint last; uint values[8]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  uint at = i == 7 ? last : i;
  results[i] = values[at];  // finding
}
