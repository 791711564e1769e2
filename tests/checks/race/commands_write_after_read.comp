#version 450
// The second of two dispatches without a barrier between overwrites what the first one reads.
//! debug
//! each BUG = 1 | 0
//! setting check race
//! buffer data u32[128] binding 0 = i
//! buffer results u32[64] binding 1
//! push u32 0
//! dispatch 1
//! push u32 1
//! dispatch 1 unordered
//! finding race commands times $(BUG)
//! expect data = i / 64 == ($(BUG) ? 0 : 1) ? 7 : i
//! expect results = $(BUG) ? @results[i] : i
layout(local_size_x = 64) in;
layout(binding = 0) buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };
layout(push_constant) uniform Push { uint command; };

void main() {
  uint i = gl_LocalInvocationIndex;
  if (command == 0) {
    results[i] = data[i];  // finding
  } else {
    data[i + 64 * (1 - BUG)] = 7;  // finding
  }
}
