#version 450
// Operations on vectors work on each component alone: some of them the same for the whole
// subgroup, some not.
//! each SIZE = 8 | 32 | 64
//! require subgroup arithmetic
//! require subgroup shuffle
//! require subgroup clustered
//! buffer data u32[64] binding 0 = random(0, 1000, 1)
//! buffer results u32[1024] binding 1
//! subgroup $(SIZE)
//! dispatch 1
//! expect results[0..256 step 4] = 7 * subgroup_size
//! expect results[1..256 step 4] = sum(k, n/subgroup_size*subgroup_size, n/subgroup_size*subgroup_size+subgroup_size, data[k])
//! expect results[2..256 step 4] = sum(k, n/subgroup_size*subgroup_size, n/subgroup_size*subgroup_size+subgroup_size, k)
//! expect results[256..512 step 4] = 7
//! expect results[257..512 step 4] = data[n ^ 3]
//! expect results[258..512 step 4] = n ^ 3
//! expect results[512..768 step 4] = 7 * (n % subgroup_size)
//! expect results[513..768 step 4] = sum(k, n/subgroup_size*subgroup_size, n, data[k])
//! expect results[514..768 step 4] = sum(k, n/subgroup_size*subgroup_size, n, k)
//! expect results[768..1024 step 4] = 7
//! expect results[769..1024 step 4] = greatest(k, n/4*4, n/4*4+4, data[k])
//! expect results[770..1024 step 4] = n/4*4+3
//! expect results[3..1024 step 4] = 0
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_clustered : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uvec4 results[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  uvec3 v = uvec3(7, data[i], i);
  results[i] = uvec4(subgroupAdd(v), 0);
  results[64 + i] = uvec4(subgroupShuffleXor(v, 3), 0);
  results[128 + i] = uvec4(subgroupExclusiveAdd(v), 0);
  results[192 + i] = uvec4(subgroupClusteredMax(v, 4), 0);
}
