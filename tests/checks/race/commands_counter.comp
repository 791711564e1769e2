#version 450
// Two dispatches without a barrier count in one word, which is right with atomics of the device's
// scope. One that reads the word with a plain load needs a barrier before it.
//! debug
//! each BUG = 1 | 0
//! setting check race
//! buffer counter u32[1] binding 0 = 0
//! buffer results u32[1] binding 1 scratch
//! push u32 0
//! dispatch 2
//! push u32 1
//! dispatch 2 unordered
//! finding race commands times $(BUG)
//! expect counter = $(BUG) ? 128 : 256
layout(local_size_x = 64) in;
layout(binding = 0) coherent buffer Counter { uint counter; };
layout(binding = 1) writeonly buffer Results { uint results; };
layout(push_constant) uniform Push { uint command; };

void main() {
  uint old;
#if BUG
  if (command == 0) {
    old = atomicAdd(counter, 1);  // finding
  } else {
    old = counter;  // finding
  }
#else
  old = atomicAdd(counter, 1);
#endif
  if (command == 1 && gl_GlobalInvocationID.x == 0) results = old;
}
