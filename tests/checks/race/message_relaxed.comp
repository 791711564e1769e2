#version 450
// A message from workgroup to workgroup whose flag is stored and loaded without release and
// acquire: the flag arrives, the number it announces need not. Tickets put the workgroups in the
// order in which they start.
//! debug
//! each BUG = 1 | 0
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
layout(binding = 0) nonprivate buffer Sums { uint sums[]; };
layout(binding = 1) buffer Flags { uint flags[]; };
layout(binding = 2) buffer Ticket { uint ticket; };
#if BUG
const int kStorage = 0, kRelease = gl_SemanticsRelaxed, kAcquire = gl_SemanticsRelaxed;
#else
const int kStorage = gl_StorageSemanticsBuffer;
const int kRelease = gl_SemanticsRelease | gl_SemanticsMakeAvailable;
const int kAcquire = gl_SemanticsAcquire | gl_SemanticsMakeVisible;
#endif

void main() {
  uint turn = atomicAdd(ticket, 1u, gl_ScopeDevice, 0, gl_SemanticsRelaxed);
  uint before = 0;
  if (turn > 0) {
    for (uint tries = 0; tries < 1000000000; ++tries)
      if (atomicLoad(flags[turn - 1], gl_ScopeDevice, kStorage, kAcquire) == 1) break;
    before = sums[turn - 1];  // finding
  }
  sums[turn] = before + turn + 1;  // finding
  atomicStore(flags[turn], 1u, gl_ScopeDevice, kStorage, kRelease);
}
