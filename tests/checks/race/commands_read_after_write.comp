#version 450
// Two dispatches without a barrier between: the second one reads what the first one stores. Right
// is one that reads what was there before.
//! debug
//! each BUG = 1 | 0
//! setting check race
//! buffer data u32[64] binding 0 = i * i
//! buffer doubled u32[64] binding 1 = 0
//! buffer results u32[64] binding 2
//! push u32 0
//! dispatch 1
//! push u32 1
//! dispatch 1 unordered
//! finding race commands times $(BUG)
//! expect doubled = 2 * i * i
//! expect results = $(BUG) ? @results[i] : 2 * i * i + 1
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) buffer Doubled { uint doubled[]; };
layout(binding = 2) writeonly buffer Results { uint results[]; };
layout(push_constant) uniform Push { uint command; };

void main() {
  uint i = gl_LocalInvocationIndex;
  if (command == 0) {
    doubled[i] = 2 * data[i];  // finding
  } else {
#if BUG
    results[i] = doubled[i] + 1;  // finding
#else
    results[i] = 2 * data[i] + 1;
#endif
  }
}
