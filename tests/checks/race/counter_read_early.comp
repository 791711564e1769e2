#version 450
// The last invocation reads a counter with a plain load while others still count with atomics.
// After Oclgrind's test atomics/atomic_race_after.
//! debug
//! each BUG = 1 | 0
//! setting check race
//! buffer counter u32[1] binding 0 = 0
//! buffer total u32[1] binding 1
//! dispatch 1
//! finding race device-memory times $(BUG)
//! expect counter = 64
//! expect total = $(BUG) ? @total[0] : 64
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 64) in;
layout(binding = 0) coherent buffer Counter { uint counter; };
layout(binding = 1) writeonly buffer Total { uint total; };

void main() {
  atomicAdd(counter, 1);  // finding
#if !BUG
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer,
                 gl_SemanticsAcquireRelease);
#endif
  if (gl_LocalInvocationIndex == 63) total = counter;  // finding
}
