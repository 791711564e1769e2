#version 450
// A sum by shuffles from higher lanes, whose upper lanes add what is past the end: only the first
// lane has the sum. After the reduction by __shfl_down_sync() in M. Harris, "Faster Parallel
// Reductions on Kepler".
//! debug
//! each BUG LANE = 1 31 | 0 0
//! setting check uniform
//! require subgroup shuffle_relative
//! subgroup 32 full
//! buffer data u32[64] binding 0 = random(0, 100, 1)
//! buffer results u32[2] binding 1
//! dispatch 1
//! finding uniform inactive-source times $(BUG)
//! expect results = $(BUG) ? @results[i] : sum(k, 0, 32, data[32 * i + k])
#extension GL_KHR_shader_subgroup_shuffle_relative : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint lane = gl_SubgroupInvocationID, sum = data[gl_SubgroupID * 32 + lane];
  for (uint distance = 16; distance > 0; distance /= 2) {
    uint upper = subgroupShuffleDown(sum, distance);  // finding
    sum += upper;
  }
  if (lane == LANE) results[gl_SubgroupID] = sum;
}
