#version 450
// A counter in shared memory that one invocation clears with a plain store, while the others count.
// After Oclgrind's test atomics/atomic_race_before.
//! debug
//! each BUG = 1 | 0
//! setting check race
//! buffer total u32[1] binding 0
//! dispatch 1
//! finding race workgroup-memory times $(BUG)
//! expect total = $(BUG) ? @total[0] : 128
layout(local_size_x = 128) in;
layout(binding = 0) writeonly buffer Total { uint total; };
shared uint count;

void main() {
  if (gl_LocalInvocationIndex == 0) count = 0;  // finding
#if !BUG
  barrier();
#endif
  atomicAdd(count, 1);  // finding
  barrier();
  if (gl_LocalInvocationIndex == 0) total = count;
}
