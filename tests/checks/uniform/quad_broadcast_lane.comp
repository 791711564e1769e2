#version 450
// The place in the quad that a quad broadcast reads comes from the invocation's own data.
//! debug
//! each BUG = 1 | 0
//! setting check uniform
//! require subgroup quad
//! subgroup 32 full
//! buffer data u32[64] binding 0 = random(0, 100, 1)
//! buffer places u32[64] binding 1 = $(BUG) ? i % 3 : 2
//! buffer results u32[64] binding 2
//! dispatch 1
//! finding uniform nonuniform-operand times $(BUG)
//! expect results = $(BUG) ? @results[i] : data[i / 4 * 4 + 2]
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) readonly buffer Places { uint places[]; };
layout(binding = 2) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_SubgroupID * 32 + gl_SubgroupInvocationID;
  results[i] = subgroupQuadBroadcast(data[i], places[i]);  // finding
}
