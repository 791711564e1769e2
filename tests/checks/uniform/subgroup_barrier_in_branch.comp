#version 450
// The lower half of a subgroup waits at a barrier of the subgroup that the upper half leaves out,
// though each half reads what the other one stored. After compute-sanitizer's sample
// Synccheck/illegal_syncwarp.
//! debug
//! each BUG = 1 | 0
//! setting check uniform
//! require subgroup basic
//! subgroup 32 full
//! buffer data u32[32] binding 0 = random(0, 100, 1)
//! buffer results u32[32] binding 1
//! dispatch 1
//! finding uniform divergent-barrier times $(BUG)
//! expect results = $(BUG) ? @results[i] : i < 16 ? data[i + 16] : 2 * data[i - 16]
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };
shared uint stage[32];

void main() {
  uint i = gl_SubgroupInvocationID;
  stage[i] = data[i];
#if BUG
  if (i < 16) {
    subgroupBarrier();  // finding
    results[i] = stage[i + 16];
  } else {
    subgroupMemoryBarrierShared();
    results[i] = 2 * stage[i - 16];
  }
#else
  subgroupBarrier();
  if (i < 16) {
    results[i] = stage[i + 16];
  } else {
    results[i] = 2 * stage[i - 16];
  }
#endif
}
