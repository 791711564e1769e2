#version 450
// The last workgroup counts, too, before it clears the counter: its barrier orders its own atomic operations, not those
// of the other workgroups.
//! debug
//! each BUG TARGET = 1 0 | 0 1
//! setting check race
//! buffer counters u32[2] binding 0 = 0
//! dispatch 4
//! finding race device-memory times $(BUG)
//! expect counters = i == $(TARGET) ? 5 : i == 0 ? 4 * 32 : 0
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 32) in;
layout(binding = 0) coherent buffer Counters { uint counters[]; };

void main() {
  atomicAdd(counters[0], 1u);  // finding
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer,
                 gl_SemanticsAcquireRelease);
  if (gl_WorkGroupID.x == 3 && gl_LocalInvocationIndex == 7) {
    counters[TARGET] = 5;  // finding
  }
}
