#version 450
// Results that the whole subgroup shares steer loops and branches: each subgroup goes its own way,
// among those of its invocations that are live.
//! each SIZE = 8 | 16 | 32 | 64
//! require subgroup arithmetic
//! require subgroup ballot
//! require subgroup vote
//! buffer data u32[192] binding 0 = random(1, 9, 1)
//! buffer results u32[384] binding 1 = 0
//! subgroup $(SIZE)
//! dispatch 1
//! expect results[0..192] = greatest(k, n/subgroup_size*subgroup_size, n/subgroup_size*subgroup_size+subgroup_size, data[k]) * data[n]
//! expect results[192..384] = count(k, 1, 10, count(m, n/subgroup_size*subgroup_size, n/subgroup_size*subgroup_size+subgroup_size, data[m] == k))
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_vote : require
layout(local_size_x = 192) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) buffer Results { uint results[]; };

void main() {
  uint i = gl_LocalInvocationIndex, x = data[i];
  uint rounds = subgroupMax(x), sum = 0;
  for (uint k = 0; k < rounds; ++k) sum += x;
  results[i] = sum;

  // One round for each different value: the waterfall loop of compilers.
  uint turn = 0;
  bool done = false;
  while (subgroupAny(!done)) {
    ++turn;
    if (!done) {
      uint first = subgroupBroadcastFirst(x);
      if (first == x) done = true;
    }
  }
  results[192 + i] = turn;
}
