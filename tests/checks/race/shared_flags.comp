// SPDX-License-Identifier: Apache-2.0
#version 450
// The second subgroup reads what the first one has stored to shared memory if its flag, which is in shared memory too,
// says so: released and acquired, or not.
//! debug
//! each BUG ORDER FENCE = 1 0 0 | 1 gl_SemanticsRelaxed 0 | 0 gl_SemanticsAcquire 0 | 0 gl_SemanticsRelaxed 1
//! setting check race
//! subgroup 32 full
//! buffer results u32[32] binding 0
//! dispatch 1
//! finding race workgroup-memory times $(BUG)
//! expect results = $(BUG) ? @results[i] : 3 * i
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 64) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };
shared uint stage[32];
shared uint flags[32];

void main() {
  uint own = gl_LocalInvocationIndex;
  if (own < 32) {
    stage[own] = 3 * own;  // finding
    atomicStore(flags[own], 1u, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsRelease);
  } else {
    const uint other = own - 32;
    uint flag = atomicLoad(flags[other], gl_ScopeWorkgroup, ORDER == 0 ? 0 : gl_StorageSemanticsShared, ORDER);
#if FENCE
    memoryBarrier(gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquire);
#endif
    results[other] = flag != 0 ? stage[other] : 3 * other;  // finding
  }
}
