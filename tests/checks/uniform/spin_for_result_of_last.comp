#version 450
// The first workgroup waits for a word that the last one stores, and gives up after some tries.
// Right is a last workgroup that does the work itself.
//! debug
//! each BUG WORKER = 1 0 | 0 99
//! setting check uniform
//! buffer flag u32[1] binding 0 = 0
//! buffer results u32[32] binding 1 = 0
//! dispatch 100
//! finding uniform spin-workgroup times $(BUG)
//! expect flag = 7
//! expect results = $(BUG) ? @results[i] : 7 + i
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 32) in;
layout(binding = 0) coherent buffer Flag { uint flag; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint g = gl_WorkGroupID.x, i = gl_LocalInvocationIndex;
  if (g == 99 && i == 0) atomicExchange(flag, 7);
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer,
                 gl_SemanticsAcquireRelease);
  if (g == WORKER) {
    uint value = 0;
    for (uint tries = 0; tries < 1000000; ++tries) {
      value = atomicOr(flag, 0);  // finding
      if (value != 0) break;
    }
    results[i] = value + i;
  }
}
