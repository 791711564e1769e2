#version 450
// The barrier orders the accesses, but neither it nor they make the stores available and visible.
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
layout(binding = 0) nonprivate buffer Passed { uint passed[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };
#if BUG
const int kSemantics = gl_SemanticsAcquireRelease;
#else
const int kSemantics =
    gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible;
#endif

void main() {
  uint i = gl_LocalInvocationIndex;
  passed[i] = 3 * i;  // finding
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer, kSemantics);
  results[i] = passed[i ^ 1];  // finding
}
