#version 450
// A loop with a barrier in it, whose number of rounds depends on the invocation.
//! debug
//! each BUG = 1 | 0
//! setting check uniform
//! buffer rounds u32[64] binding 0 = i / 16 + 1
//! buffer results u32[64] binding 1
//! dispatch 1
//! finding uniform divergent-barrier times $(BUG)
//! expect results = i / 16 + 1
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Rounds { uint rounds[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_LocalInvocationIndex, count = 0;
#if BUG
  for (uint k = 0; k < rounds[i]; ++k) {
    barrier();  // finding
    ++count;
  }
#else
  for (uint k = 0; k < 4; ++k) {
    barrier();
    if (k < rounds[i]) ++count;
  }
#endif
  results[i] = count;
}
