#version 450
// The last quad of the workgroup has two invocations: each has a neighbour at its side, none has
// one below it.
//! debug
//! each BUG SWAP = 1 subgroupQuadSwapVertical | 0 subgroupQuadSwapHorizontal
//! setting check uniform
//! require subgroup quad
//! subgroup 32
//! buffer results u32[30] binding 0 = 0
//! dispatch 1
//! finding uniform inactive-source times $(BUG)
//! expect results = $(BUG) && i >= 28 ? @results[i] : i ^ ($(BUG) + 1)
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = 30) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };

void main() {
  uint lane = gl_SubgroupInvocationID;
  results[lane] = SWAP(lane);  // finding
}
