#version 450
// Lanes leave a loop in different rounds, and those that stay ask the next lane, which has left.
//! debug
//! each BUG = 1 | 0
//! setting check uniform
//! require subgroup shuffle
//! subgroup 32 full
//! buffer rounds u32[32] binding 0 = i % 2 == 0 ? 3 : 1
//! buffer results u32[32] binding 1 = 0
//! dispatch 1
//! finding uniform inactive-source times $(BUG)
//! expect results = $(BUG) ? @results[i] : (i ^ 1) * rounds[i]
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Rounds { uint rounds[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint lane = gl_SubgroupInvocationID, sum = 0, count = rounds[lane];
#if BUG
  for (uint k = 0; k < count; ++k) {
    sum += subgroupShuffleXor(lane, 1);  // finding
  }
#else
  for (uint k = 0; k < 3; ++k) {
    uint other = subgroupShuffleXor(lane, 1);
    if (k < count) sum += other;
  }
#endif
  results[lane] = sum;
}
