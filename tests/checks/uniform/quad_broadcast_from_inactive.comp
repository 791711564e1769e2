#version 450
// A quad broadcast of the last invocation in a branch that the last one of each quad does not take.
//! debug
//! each BUG PLACE = 1 3 | 0 2
//! setting check uniform
//! require subgroup quad
//! subgroup 32 full
//! buffer data u32[32] binding 0 = random(0, 100, 1)
//! buffer results u32[32] binding 1 = 0
//! dispatch 1
//! finding uniform inactive-source times $(BUG)
//! expect results = i % 4 == 3 ? 0 : $(BUG) ? @results[i] : data[i / 4 * 4 + 2]
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint lane = gl_SubgroupInvocationID, value = data[lane];
  if (lane % 4 != 3) {
    results[lane] = subgroupQuadBroadcast(value, PLACE);  // finding
  }
}
