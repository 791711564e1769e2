#version 450
// Each invocation spins until it has the lock, and works behind the loop: the one that has it waits
// there for the others of its subgroup, which wait for the lock. After the deadlock in A. ElTantawy
// and T. Aamodt, "MIMD Synchronization on SIMT Architectures". Invocations give up after some
// tries. Right is that one lane after the other takes it.
//! debug
//! each BUG = 1 | 0
//! setting check uniform
//! require vulkanMemoryModel vulkanMemoryModelDeviceScope
//! require subgroup basic
//! subgroup 32 full
//! buffer lock u32[1] binding 0 = 0
//! buffer counter u32[1] binding 1 = 0
//! dispatch 1
//! finding uniform spin-lane times $(BUG)
//! expect lock = 0
//! expect counter = $(BUG) ? @counter[0] : 32
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#pragma use_vulkan_memory_model
layout(local_size_x = 32) in;
layout(binding = 0) buffer Lock { uint lock; };
layout(binding = 1) devicecoherent buffer Counter { uint counter; };
const int kBuffer = gl_StorageSemanticsBuffer;

void takeTurn() {
  uint tries = 0;
  while (atomicCompSwap(lock, 0u, 1u, gl_ScopeDevice, kBuffer, gl_SemanticsAcquire, 0,
                        gl_SemanticsRelaxed) != 0) {  // finding
    if (++tries == 1000000) return;
  }
  counter += 1;
  atomicStore(lock, 0u, gl_ScopeDevice, kBuffer, gl_SemanticsRelease);
}

void main() {
#if BUG
  takeTurn();
#else
  for (uint turn = 0; turn < 32; ++turn) {
    if (turn == gl_SubgroupInvocationID) takeTurn();
    controlBarrier(gl_ScopeSubgroup, gl_ScopeSubgroup, kBuffer, gl_SemanticsAcquireRelease);
  }
#endif
}
