#version 450
// A broadcast of the first lane in a branch that the first lane does not take. What is wanted is
// the first of those that are there. After the broadcast across a warp in the CUDA C++ Programming
// Guide.
//! debug
//! each BUG = 1 | 0
//! setting check uniform
//! require subgroup ballot
//! subgroup 32 full
//! buffer data u32[32] binding 0 = random(0, 100, 1)
//! buffer results u32[32] binding 1 = 0
//! dispatch 1
//! finding uniform inactive-source times $(BUG)
//! expect results = i < 4 ? 0 : $(BUG) ? @results[i] : data[4]
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint lane = gl_SubgroupInvocationID, value = data[lane];
  if (lane >= 4) {
#if BUG
    results[lane] = subgroupBroadcast(value, 0);  // finding
#else
    results[lane] = subgroupBroadcastFirst(value);
#endif
  }
}
