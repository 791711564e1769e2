#version 450
// Messages from workgroup to workgroup, by release and acquire of the Vulkan memory model: each
// waits for the one before it, as a scan with look-back does.
//! each WAIT = UNIFORM | VARYING
//! require vulkanMemoryModel vulkanMemoryModelDeviceScope
//! buffer sums u32[12800] binding 0 = 0
//! buffer flags u32[200] binding 1 = 0
//! push u32 0
//! dispatch 200
//! expect sums = (i / 64) * (i / 64 + 1) / 2 * 64 + i % 64 * (i / 64 + 1)
//! expect flags = 1
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model
layout(local_size_x = 64) in;
layout(binding = 0) buffer Sums { uint sums[]; };
layout(binding = 1) buffer Flags { uint flags[]; };
layout(push_constant) uniform Push { uint zero; };
#define UNIFORM 0
#define VARYING 1

void main() {
  uint group = gl_WorkGroupID.x, m = gl_LocalInvocationID.x;
  uint before = 0;
  if (group > 0) {
    // The same flag for all, but not known to be.
    uint flag = WAIT == VARYING ? group - 1 + zero * m : group - 1;
    while (atomicLoad(flags[flag], gl_ScopeDevice, gl_StorageSemanticsBuffer,
                      gl_SemanticsAcquire | gl_SemanticsMakeVisible) == 0) {
    }
    before = sums[(group - 1) * 64 + m];
  }
  sums[group * 64 + m] = before + group * 64 + m;
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeDevice, gl_StorageSemanticsBuffer,
                 gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable |
                     gl_SemanticsMakeVisible);
  if (m == 0)
    atomicStore(flags[group], 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer,
                gl_SemanticsRelease | gl_SemanticsMakeAvailable);
}
