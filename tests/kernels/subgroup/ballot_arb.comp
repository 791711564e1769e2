#version 450
// The older instructions of VK_EXT_shader_subgroup_ballot and VK_EXT_shader_subgroup_vote:
// OpSubgroupBallotKHR, FirstInvocationKHR, ReadInvocationKHR, AllKHR, AnyKHR, AllEqualKHR.
//! each SIZE = 8 | 32 | 64
//! require VK_EXT_shader_subgroup_ballot VK_EXT_shader_subgroup_vote
//! require shaderInt64
//! buffer data u32[192] binding 0 = i < 64 ? 1 : random(0, 1, 1)
//! buffer results u64[768] binding 1 = 0
//! subgroup $(SIZE)
//! dispatch 1
//! expect results[0..192] = sum(k, 0, subgroup_size, k != 2 && data[n/subgroup_size*subgroup_size+k] ? 1 << k : 0) * (n % subgroup_size != 2)
//! expect results[192..384] = (100 + n/subgroup_size*subgroup_size) * (n % subgroup_size != 2)
//! expect results[384..576] = (100 + n/subgroup_size*subgroup_size + 4) * (n % subgroup_size != 2)
//! expect results[576..768] = n % subgroup_size == 2 ? 0 :
//!+  (count(k, 0, subgroup_size, k != 2 && !data[n/subgroup_size*subgroup_size+k]) == 0)
//!+  + 2 * (count(k, 0, subgroup_size, k != 2 && data[n/subgroup_size*subgroup_size+k]) != 0)
//!+  + 4 * (count(k, 0, subgroup_size, k != 2 && data[n/subgroup_size*subgroup_size+k] != data[n/subgroup_size*subgroup_size]) == 0)
#extension GL_ARB_shader_ballot : require
#extension GL_ARB_shader_group_vote : require
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 192) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint64_t results[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  bool x = data[i] != 0;
  if (gl_SubGroupInvocationARB != 2) {
    results[i] = ballotARB(x);
    results[192 + i] = readFirstInvocationARB(100 + i);
    results[384 + i] = readInvocationARB(100 + i, 4);
    results[576 + i] = (allInvocationsARB(x) ? 1 : 0) + (anyInvocationARB(x) ? 2 : 0) +
                       (allInvocationsEqualARB(x) ? 4 : 0);
  }
}
