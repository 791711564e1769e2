#version 450
// Sums from the right: each workgroup waits for the one behind it, which may not start before this
// one ends. With tickets, as in R. Levien, "Prefix sum on Vulkan", those that are waited for have
// started. Workgroups give up after some tries, so that the wrong variant ends.
//! debug
//! each BUG TRIES = 1 1000000 | 0 4000000000u
//! setting check uniform
//! require vulkanMemoryModel vulkanMemoryModelDeviceScope
//! buffer sums u32[16] binding 0 = 0
//! buffer flags u32[17] binding 1 = i / 16
//! buffer ticket u32[1] binding 2 = 0
//! dispatch 16
//! finding uniform spin-workgroup times $(BUG)
//! expect sums = $(BUG) ? @sums[i] : sum(k, i, 16, k + 1)
//! expect flags = 1
//! expect ticket = 16
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model
layout(local_size_x = 1) in;
layout(binding = 0) nonprivate buffer Sums { uint sums[]; };
layout(binding = 1) buffer Flags { uint flags[]; };
layout(binding = 2) buffer Ticket { uint ticket; };

void main() {
  uint turn = atomicAdd(ticket, 1u, gl_ScopeDevice, 0, gl_SemanticsRelaxed);
#if BUG
  uint g = gl_WorkGroupID.x;
#else
  uint g = 15 - turn;
#endif
  for (uint tries = 0; tries < TRIES; ++tries) {
    if (atomicLoad(flags[g + 1], gl_ScopeDevice, gl_StorageSemanticsBuffer,
                   gl_SemanticsAcquire | gl_SemanticsMakeVisible) == 1)  // finding
      break;
  }
  sums[g] = (g < 15 ? sums[g + 1] : 0) + g + 1;
  atomicStore(flags[g], 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer,
              gl_SemanticsRelease | gl_SemanticsMakeAvailable);
}
