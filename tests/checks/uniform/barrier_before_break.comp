#version 450
// Invocations leave a loop in different rounds, behind the barrier: the next round's barrier lacks
// them. After an example of the section on uniformity in the WGSL specification.
//! debug
//! each BUG = 1 | 0
//! setting check uniform
//! buffer results u32[16] binding 0
//! dispatch 1
//! finding uniform divergent-barrier times $(BUG)
//! expect results = i > 7 ? 1 : 9 - i
layout(local_size_x = 16) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_LocalInvocationIndex, count = 0;
#if BUG
  for (uint k = 0; k < 10; ++k) {
    barrier();  // finding
    ++count;
    if (i + k > 7) break;
  }
#else
  bool stays = true;
  for (uint k = 0; k < 10; ++k) {
    barrier();
    if (stays) ++count;
    if (i + k > 7) stays = false;
  }
#endif
  results[i] = count;
}
