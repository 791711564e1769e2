#version 450
// Only some subgroups have accessed buffers when the workgroup comes to a barrier of shared memory: what the barriers
// after it order is the same for all.
//! debug
//! each BUG = 1 | 0
//! setting check race
//! subgroup 32 full
//! buffer passed u32[64] binding 0 = 0
//! buffer results u32[64] binding 1 = 0
//! dispatch 1
//! finding race device-memory times $(BUG)
//! expect passed = 3 * i
//! expect results = $(BUG) ? @results[i] : i < 32 ? 3 * (i + 32) : 3
layout(local_size_x = 64) in;
layout(binding = 0) coherent buffer Passed { uint passed[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  if (i < 32) passed[i] = 3 * i;
  barrier();
  if (i >= 32) passed[i] = 3 * i;  // finding
#if BUG
  barrier();
#else
  memoryBarrierBuffer();
  barrier();
#endif
  if (i < 32) {
    results[i] = passed[i + 32];  // finding
  } else {
    results[i] = 3;
  }
}
