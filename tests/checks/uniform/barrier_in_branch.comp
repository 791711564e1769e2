#version 450
// All invocations but the first wait at a barrier. After Oclgrind's test
// barrier/barrier_divergence.
//! debug
//! each BUG = 1 | 0
//! setting check uniform
//! buffer results u32[64] binding 0
//! dispatch 1
//! finding uniform divergent-barrier times $(BUG)
//! expect results = i
layout(local_size_x = 64) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
#if BUG
  if (i != 0) {
    barrier();  // finding
  }
#else
  barrier();
#endif
  results[i] = i;
}
