#version 450
// In the Vulkan memory model accesses are private unless they say otherwise, and no barrier orders
// private accesses of different invocations.
//! debug
//! each BUG = 1 | 0
//! setting check race
//! require vulkanMemoryModel
//! buffer passed u32[64] binding 0 = 0
//! buffer results u32[64] binding 1
//! dispatch 1
//! finding race device-memory times $(BUG)
//! expect passed = 3 * i
//! expect results = $(BUG) ? @results[i] : 3 * (i ^ 1)
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model
layout(local_size_x = 64) in;
#if BUG
#define SHARING
#else
#define SHARING nonprivate
#endif
layout(binding = 0) SHARING buffer Passed { uint passed[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  passed[i] = 3 * i;  // finding
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer,
                 gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible);
  results[i] = passed[i ^ 1];  // finding
}
