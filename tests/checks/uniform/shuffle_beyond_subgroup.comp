#version 450
// The right neighbour of the last lane would be in the next subgroup.
//! debug
//! each BUG = 1 | 0
//! setting check uniform
//! require subgroup shuffle
//! subgroup 32 full
//! buffer data u32[64] binding 0 = random(0, 100, 1)
//! buffer results u32[64] binding 1 = 0
//! dispatch 1
//! finding uniform inactive-source times $(BUG)
//! expect results = i % 32 < 31 ? data[i + 1] : $(BUG) ? @results[i] : data[i / 32 * 32]
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint lane = gl_SubgroupInvocationID, i = gl_SubgroupID * 32 + lane;
#if BUG
  uint source = lane + 1;
#else
  uint source = (lane + 1) % 32;
#endif
  results[i] = subgroupShuffle(data[i], source);  // finding
}
