#version 450
// The barrier orders accesses to shared memory, but what is passed lies in a buffer. After
// Oclgrind's test data-race/local_only_fence.
//! debug
//! each BUG STORAGE = 1 gl_StorageSemanticsShared | 0 gl_StorageSemanticsBuffer
//! setting check race
//! buffer passed u32[256] binding 0 = 0
//! buffer results u32[4] binding 1
//! dispatch 4
//! finding race device-memory times $(BUG)
//! expect passed = i
//! expect results = $(BUG) ? @results[i] : 64 * 63 / 2 + 64 * 64 * i
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 64) in;
layout(binding = 0) coherent buffer Passed { uint passed[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  passed[gl_GlobalInvocationID.x] = gl_GlobalInvocationID.x;  // finding
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, STORAGE, gl_SemanticsAcquireRelease);
  if (i == 0) {
    uint sum = 0;
    for (uint k = 0; k < 64; ++k) {
      sum += passed[gl_WorkGroupID.x * 64 + k];  // finding
    }
    results[gl_WorkGroupID.x] = sum;
  }
}
