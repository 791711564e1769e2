#version 450
// OpGroupNonUniformElect and subgroupBarrier: the first active invocation of each subgroup.
//! require subgroup basic
//! buffer results u32[64] binding 0 = 0
//! dispatch 1
//! expect results = (i % subgroup_size == 0) + 2 * (i % subgroup_size == 3)
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer Results { uint results[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  if (subgroupElect()) results[i] += 1;
  subgroupBarrier();
  if (gl_SubgroupInvocationID >= 3) {
    if (subgroupElect()) results[i] += 2;
  }
}
