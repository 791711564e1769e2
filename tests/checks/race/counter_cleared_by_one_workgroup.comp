#version 450
// The first workgroup clears a counter and waits at a barrier, which holds none of the other
// workgroups back from counting. Right is a counter that is cleared before the dispatch. After
// Oclgrind's test atomics/atomic_intergroup_race.
//! debug
//! each BUG = 1 | 0
//! setting check race
//! buffer counter u32[1] binding 0 = 0
//! dispatch 4
//! finding race device-memory times $(BUG)
//! expect counter = $(BUG) ? @counter[0] : 4 * 32
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 32) in;
layout(binding = 0) coherent buffer Counter { uint counter; };

void main() {
#if BUG
  if (gl_GlobalInvocationID.x == 0) counter = 0;  // finding
#endif
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeDevice, gl_StorageSemanticsBuffer,
                 gl_SemanticsAcquireRelease);
  atomicAdd(counter, 1);  // finding
}
