#version 450
// Two dispatches without a barrier fill the halves of a buffer. Where the second half starts one
// element too early they store to the same element.
//! debug
//! each BUG START = 1 63 | 0 64
//! setting check race
//! buffer data u32[128] binding 0 = 0
//! push u32 0, u32 1
//! dispatch 1
//! push u32 $(START), u32 2
//! dispatch 1 unordered
//! finding race commands times $(BUG)
//! expect data = i == 63 && $(BUG) ? @data[63] : i < 64 ? 1 : i < $(START) + 64 ? 2 : 0
layout(local_size_x = 64) in;
layout(binding = 0) writeonly buffer Data { uint data[]; };
layout(push_constant) uniform Push { uint start, value; };

void main() {
  data[start + gl_LocalInvocationIndex] = value;  // finding
}
