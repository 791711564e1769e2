#version 450
// Every kind of memory barrier that GLSL has: what one invocation wrote, in a buffer or in shared
// memory, is seen by another behind it and a barrier.
//! each KIND BARRIER = memory memoryBarrier() | buffers memoryBarrierBuffer()
//!+   | group groupMemoryBarrier() | shared memoryBarrierShared()
//! each WIDTH CONTROL NEIGHBOUR = workgroup barrier() 65 | subgroup subgroupBarrier() 3
//! require subgroup basic
//! buffer passed u32[128] binding 0 = 0
//! buffer results u32[128] binding 1
//! dispatch 1
//! expect passed = 3 * i
//! expect results = 3 * (i ^ $(NEIGHBOUR)) + 5 * (i ^ $(NEIGHBOUR))
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 128) in;
layout(binding = 0) coherent buffer Passed { uint passed[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };
shared uint stage[128];

void main() {
  uint i = gl_LocalInvocationID.x;
  passed[i] = 3 * i;
  stage[i] = 5 * i;
  BARRIER;
  CONTROL;
  results[i] = passed[i ^ NEIGHBOUR] + stage[i ^ NEIGHBOUR];
}
