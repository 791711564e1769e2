#version 450
// A sum over workgroups in one pass: each adds what it has to the sum of the one before it, for which
// it waits. After D. Merrill and M. Garland, "Single-pass Parallel Prefix Scan with Decoupled
// Look-back".
//! each OPT = off | on
//! optimize $(OPT)
//! require vulkanMemoryModel vulkanMemoryModelDeviceScope
//! buffer flags u32[200] binding 0 = 0
//! buffer sums u32[200] binding 1 = 0
//! buffer results u32[200] binding 2
//! dispatch 200
//! expect flags = 2
//! expect sums = (i + 1) * (i + 2) / 2
//! expect results = (i + 1) * (i + 2) / 2
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model
layout(local_size_x = 64) in;
layout(binding = 0) buffer Flags { uint flags[]; };
layout(binding = 1) nonprivate buffer Sums { uint sums[]; };
layout(binding = 2) writeonly buffer Results { uint results[]; };
shared uint before;

void main() {
  uint g = gl_WorkGroupID.x;
  if (gl_LocalInvocationIndex == 0) {
    uint sum = 0;
    while (g > 0) {
      uint state = atomicLoad(flags[g - 1], gl_ScopeDevice, gl_StorageSemanticsBuffer,
                              gl_SemanticsAcquire | gl_SemanticsMakeVisible);
      if (state == 0) continue;
      sum = sums[g - 1];
      break;
    }
    sums[g] = sum + g + 1;
    atomicStore(flags[g], 2u, gl_ScopeDevice, gl_StorageSemanticsBuffer,
                gl_SemanticsRelease | gl_SemanticsMakeAvailable);
    before = sum;
  }
  barrier();
  if (gl_LocalInvocationIndex == 63) results[g] = before + g + 1;
}
