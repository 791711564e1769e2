#version 450
// What a workgroup passes on to the next is made available in the scope of the workgroup alone,
// though the flag that announces it has the scope of the device.
//! debug
//! each BUG COHERENT = 1 workgroupcoherent | 0 devicecoherent
//! setting check race
//! require vulkanMemoryModel vulkanMemoryModelDeviceScope
//! buffer sums u32[16] binding 0 = 0
//! buffer flags u32[16] binding 1 = 0
//! buffer ticket u32[1] binding 2 = 0
//! dispatch 16
//! finding race device-memory times $(BUG)
//! expect sums = $(BUG) ? @sums[i] : (i + 1) * (i + 2) / 2
//! expect flags = 1
//! expect ticket = 16
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model
layout(local_size_x = 1) in;
layout(binding = 0) COHERENT buffer Sums { uint sums[]; };
layout(binding = 1) buffer Flags { uint flags[]; };
layout(binding = 2) buffer Ticket { uint ticket; };

void main() {
  uint turn = atomicAdd(ticket, 1u, gl_ScopeDevice, 0, gl_SemanticsRelaxed);
  uint before = 0;
  if (turn > 0) {
    for (uint tries = 0; tries < 1000000000; ++tries)
      if (atomicLoad(flags[turn - 1], gl_ScopeDevice, gl_StorageSemanticsBuffer,
                     gl_SemanticsAcquire) == 1)
        break;
    before = sums[turn - 1];  // finding
  }
  sums[turn] = before + turn + 1;  // finding
  atomicStore(flags[turn], 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease);
}
