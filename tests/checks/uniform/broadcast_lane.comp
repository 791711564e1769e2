#version 450
// Each invocation asks a broadcast for another lane, which is what a shuffle is for.
//! debug
//! each BUG OPERATION = 1 subgroupBroadcast | 0 subgroupShuffle
//! setting check uniform
//! require subgroup ballot
//! require subgroup shuffle
//! subgroup 32 full
//! buffer data u32[64] binding 0 = random(0, 100, 1)
//! buffer results u32[64] binding 1
//! dispatch 1
//! finding uniform nonuniform-operand times $(BUG)
//! expect results = $(BUG) ? @results[i] : data[i / 32 * 32 + 31 - i % 32]
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint lane = gl_SubgroupInvocationID, i = gl_SubgroupID * 32 + lane;
  results[i] = OPERATION(data[i], 31 - lane);  // finding
}
