#version 450
// Invocations of different subgroups exchange values over a barrier that orders each subgroup
// alone.
//! debug
//! each BUG BARRIER = 1 subgroupBarrier() | 0 barrier()
//! setting check race
//! require subgroup basic
//! subgroup 32 full
//! buffer data u32[128] binding 0 = random(0, 100, 1)
//! buffer results u32[128] binding 1
//! dispatch 1
//! finding race workgroup-memory times $(BUG)
//! expect results = $(BUG) ? @results[i] : data[(i + 32) % 128]
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };
shared uint stage[128];

void main() {
  uint i = gl_SubgroupID * 32 + gl_SubgroupInvocationID;
  stage[i] = data[i];  // finding
  BARRIER;
  results[i] = stage[(i + 32) % 128];  // finding
}
