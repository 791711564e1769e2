#version 450
// The first workgroup reads a counter, waits at its barrier, and counts: the barrier orders its own atomic operations
// behind the load, not those of the other workgroups.
//! debug
//! each BUG SOURCE = 1 0 | 0 1
//! setting check race
//! buffer counters u32[2] binding 0 = 7
//! buffer results u32[1] binding 1
//! dispatch 4
//! finding race device-memory times $(BUG)
//! expect counters = i == 0 ? 7 + 4 * 32 : 7
//! expect results = 7
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 32) in;
layout(binding = 0) coherent buffer Counters { uint counters[]; };
layout(binding = 1) writeonly buffer Results { uint result; };

void main() {
  if (gl_GlobalInvocationID.x == 5) {
    result = counters[SOURCE];  // finding
  }
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer,
                 gl_SemanticsAcquireRelease);
  atomicAdd(counters[0], 1u);  // finding
}
