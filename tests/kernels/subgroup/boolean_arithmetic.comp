#version 450
// subgroupAnd, Or and Xor of booleans: reductions, scans and clusters of 4, over all invocations
// (results[0..100], a bit for each) and over those that a branch leaves live (results[100..200]).
//! each SIZE = 8 | 16 | 32 | 64
//! require subgroup arithmetic
//! require subgroup clustered
//! buffer data u32[101] binding 0 = random(0, 3, 1) != 0
//! buffer live u32[101] binding 1 = random(0, 2, 2) != 0
//! buffer results u32[200] binding 2 = 0
//! subgroup $(SIZE)
//! dispatch 1
//! expect results[0..100] =
//!+  (count(k, n/subgroup_size*subgroup_size, min(n/subgroup_size*subgroup_size+subgroup_size,100), !data[k]) == 0)
//!+  + 2 * (count(k, n/subgroup_size*subgroup_size, min(n/subgroup_size*subgroup_size+subgroup_size,100), data[k]) != 0)
//!+  + 4 * (count(k, n/subgroup_size*subgroup_size, min(n/subgroup_size*subgroup_size+subgroup_size,100), data[k]) % 2)
//!+  + 8 * (count(k, n/subgroup_size*subgroup_size, n+1, !data[k]) == 0)
//!+  + 16 * (count(k, n/subgroup_size*subgroup_size, n+1, data[k]) != 0)
//!+  + 32 * (count(k, n/subgroup_size*subgroup_size, n+1, data[k]) % 2)
//!+  + 64 * (count(k, n/subgroup_size*subgroup_size, n, !data[k]) == 0)
//!+  + 128 * (count(k, n/subgroup_size*subgroup_size, n, data[k]) != 0)
//!+  + 256 * (count(k, n/subgroup_size*subgroup_size, n, data[k]) % 2)
//!+  + 512 * (count(k, n/4*4, n/4*4+4, !data[k]) == 0)
//!+  + 1024 * (count(k, n/4*4, n/4*4+4, data[k]) != 0)
//!+  + 2048 * (count(k, n/4*4, n/4*4+4, data[k]) % 2)
//! expect results[100..200] = live[n] == 0 ? 0 :
//!+  (count(k, n/subgroup_size*subgroup_size, min(n/subgroup_size*subgroup_size+subgroup_size,100), live[k] && !data[k]) == 0)
//!+  + 2 * (count(k, n/subgroup_size*subgroup_size, min(n/subgroup_size*subgroup_size+subgroup_size,100), live[k] && data[k]) != 0)
//!+  + 4 * (count(k, n/subgroup_size*subgroup_size, min(n/subgroup_size*subgroup_size+subgroup_size,100), live[k] && data[k]) % 2)
//!+  + 8 * (count(k, n/subgroup_size*subgroup_size, n+1, live[k] && !data[k]) == 0)
//!+  + 16 * (count(k, n/subgroup_size*subgroup_size, n+1, live[k] && data[k]) != 0)
//!+  + 32 * (count(k, n/subgroup_size*subgroup_size, n+1, live[k] && data[k]) % 2)
//!+  + 64 * (count(k, n/subgroup_size*subgroup_size, n, live[k] && !data[k]) == 0)
//!+  + 128 * (count(k, n/subgroup_size*subgroup_size, n, live[k] && data[k]) != 0)
//!+  + 256 * (count(k, n/subgroup_size*subgroup_size, n, live[k] && data[k]) % 2)
//!+  + 512 * (count(k, n/4*4, n/4*4+4, live[k] && !data[k]) == 0)
//!+  + 1024 * (count(k, n/4*4, n/4*4+4, live[k] && data[k]) != 0)
//!+  + 2048 * (count(k, n/4*4, n/4*4+4, live[k] && data[k]) % 2)
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_clustered : require
layout(local_size_x = 100) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) readonly buffer Live { uint live[]; };
layout(binding = 2) writeonly buffer Results { uint results[]; };

uint compute(bool x) {
  return uint(subgroupAnd(x)) | uint(subgroupOr(x)) << 1 | uint(subgroupXor(x)) << 2 |
         uint(subgroupInclusiveAnd(x)) << 3 | uint(subgroupInclusiveOr(x)) << 4 |
         uint(subgroupInclusiveXor(x)) << 5 | uint(subgroupExclusiveAnd(x)) << 6 |
         uint(subgroupExclusiveOr(x)) << 7 | uint(subgroupExclusiveXor(x)) << 8 |
         uint(subgroupClusteredAnd(x, 4)) << 9 | uint(subgroupClusteredOr(x, 4)) << 10 |
         uint(subgroupClusteredXor(x, 4)) << 11;
}

void main() {
  uint i = gl_LocalInvocationIndex;
  results[i] = compute(data[i] != 0);
  if (live[i] != 0) results[100 + i] = compute(data[i] != 0);
}
