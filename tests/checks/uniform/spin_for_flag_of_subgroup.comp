#version 450
// One lane waits for the flag of its subgroup, which the others set in the other branch. The loop loads the number of
// the subgroup, too.
//! debug
//! each BUG = 1 | 0
//! setting check uniform
//! require subgroup basic
//! subgroup 32 full
//! buffer results u32[2] binding 0 = 0
//! dispatch 1
//! finding uniform spin-lane times $(BUG)
//! expect results = $(BUG) ? @results[i] : 5
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 64) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };
shared uint flags[2];

void main() {
  if (subgroupElect()) atomicExchange(flags[gl_SubgroupID], 0);
  subgroupBarrier();
#if BUG
  if (gl_SubgroupInvocationID == 17) {
    for (uint tries = 0; tries < 1000000; ++tries) {
      uint value = atomicOr(flags[gl_SubgroupID], 0);  // finding
      if (value != 0) break;
    }
  } else {
    atomicMax(flags[gl_SubgroupID], 5);
  }
#else
  if (gl_SubgroupInvocationID != 17) atomicMax(flags[gl_SubgroupID], 5);
  subgroupBarrier();
  if (gl_SubgroupInvocationID == 17) results[gl_SubgroupID] = atomicOr(flags[gl_SubgroupID], 0);
#endif
}
