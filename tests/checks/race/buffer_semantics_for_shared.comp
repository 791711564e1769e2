#version 450
// The barrier orders accesses to buffers, but what is passed lies in shared memory. After
// Oclgrind's test data-race/global_only_fence.
//! debug
//! each BUG STORAGE = 1 gl_StorageSemanticsBuffer | 0 gl_StorageSemanticsShared
//! setting check race
//! buffer results u32[4] binding 0
//! dispatch 4
//! finding race workgroup-memory times $(BUG)
//! expect results = $(BUG) ? @results[i] : 64 * 63 / 2 + 64 * i
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 64) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };
shared uint stage[64];

void main() {
  uint i = gl_LocalInvocationIndex;
  stage[i] = i + gl_WorkGroupID.x;  // finding
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, STORAGE, gl_SemanticsAcquireRelease);
  if (i == 0) {
    uint sum = 0;
    for (uint k = 0; k < 64; ++k) {
      sum += stage[k];  // finding
    }
    results[gl_WorkGroupID.x] = sum;
  }
}
