#version 450
// Odd lanes wait in a loop for what even lanes store in the other branch: if the branches run one
// after the other, the loop runs first. A barrier of the subgroup needs no loop.
//! debug
//! each BUG = 1 | 0
//! setting check uniform
//! require vulkanMemoryModel
//! require subgroup basic
//! subgroup 32 full
//! buffer results u32[32] binding 0 = 0
//! dispatch 1
//! finding uniform spin-lane times $(BUG)
//! expect results = i % 2 == 0 ? 0 : $(BUG) ? @results[i] : i
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#pragma use_vulkan_memory_model
layout(local_size_x = 32) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };
shared uint flags[32];
const int kShared = gl_StorageSemanticsShared;

void main() {
  uint lane = gl_SubgroupInvocationID, value = 0;
  atomicStore(flags[lane], 0u, gl_ScopeSubgroup, 0, gl_SemanticsRelaxed);
  controlBarrier(gl_ScopeSubgroup, gl_ScopeSubgroup, kShared, gl_SemanticsAcquireRelease);
#if BUG
  if (lane % 2 == 1) {
    for (uint tries = 0; tries < 1000000; ++tries) {
      value = atomicLoad(flags[lane - 1], gl_ScopeSubgroup, 0, gl_SemanticsRelaxed);  // finding
      if (value != 0) break;
    }
  } else {
    atomicStore(flags[lane], lane + 1, gl_ScopeSubgroup, 0, gl_SemanticsRelaxed);
  }
#else
  if (lane % 2 == 0)
    atomicStore(flags[lane], lane + 1, gl_ScopeSubgroup, 0, gl_SemanticsRelaxed);
  controlBarrier(gl_ScopeSubgroup, gl_ScopeSubgroup, kShared, gl_SemanticsAcquireRelease);
  if (lane % 2 == 1)
    value = atomicLoad(flags[lane - 1], gl_ScopeSubgroup, 0, gl_SemanticsRelaxed);
#endif
  results[lane] = value;
}
