#version 450
// Workgroups count with atomics whose scope is the workgroup: for other workgroups they are no
// atomics.
//! debug
//! each BUG SCOPE = 1 gl_ScopeWorkgroup | 0 gl_ScopeDevice
//! setting check race
//! require vulkanMemoryModel vulkanMemoryModelDeviceScope
//! buffer counter u32[1] binding 0 = 0
//! dispatch 4
//! finding race device-memory times $(BUG)
//! expect counter = $(BUG) ? @counter[0] : 4 * 32
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model
layout(local_size_x = 32) in;
layout(binding = 0) buffer Counter { uint counter; };

void main() {
  atomicAdd(counter, 1u, SCOPE, 0, gl_SemanticsRelaxed);  // finding
}
