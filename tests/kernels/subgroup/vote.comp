#version 450
// subgroupAll, Any and AllEqual (of scalars, vectors and floats), over all invocations and over
// those that a branch leaves live. Subgroup s: 0 and 4 all set, 1 none, 2 mixed, 3 one dissenter
// that the branch puts aside.
//! each SIZE = 8 | 16 | 32 | 64
//! require subgroup vote
//! buffer data u32[300] binding 0 = i/subgroup_size % 5 == 0 || i/subgroup_size % 5 == 4 ? 1 :
//!+ i/subgroup_size % 5 == 1 ? 0 : i/subgroup_size % 5 == 2 ? i % 2 : i % subgroup_size != 3
//! buffer results u32[600] binding 2 = 0
//! subgroup $(SIZE)
//! dispatch 1
//! expect results[0..300] =
//!+  (count(k, n/subgroup_size*subgroup_size, min(n/subgroup_size*subgroup_size+subgroup_size,300), !data[k]) == 0)
//!+  + 2 * (count(k, n/subgroup_size*subgroup_size, min(n/subgroup_size*subgroup_size+subgroup_size,300), data[k]) != 0)
//!+  + 28 * (count(k, n/subgroup_size*subgroup_size, min(n/subgroup_size*subgroup_size+subgroup_size,300), data[k] != data[n/subgroup_size*subgroup_size]) == 0)
//! expect results[300..600] = n % subgroup_size == 3 ? 0 :
//!+  (count(k, n/subgroup_size*subgroup_size, min(n/subgroup_size*subgroup_size+subgroup_size,300), k % subgroup_size != 3 && !data[k]) == 0)
//!+  + 2 * (count(k, n/subgroup_size*subgroup_size, min(n/subgroup_size*subgroup_size+subgroup_size,300), k % subgroup_size != 3 && data[k]) != 0)
//!+  + 28 * (count(k, n/subgroup_size*subgroup_size, min(n/subgroup_size*subgroup_size+subgroup_size,300), k % subgroup_size != 3 && data[k] != data[n/subgroup_size*subgroup_size]) == 0)
#extension GL_KHR_shader_subgroup_vote : require
layout(local_size_x = 300) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 2) writeonly buffer Results { uint results[]; };

uint compute(uint x) {
  return uint(subgroupAll(x != 0)) | uint(subgroupAny(x != 0)) << 1 |
         uint(subgroupAllEqual(x)) << 2 | uint(subgroupAllEqual(vec3(1.5, x, -0.0))) << 3 |
         uint(subgroupAllEqual(bvec2(true, x != 0))) << 4;
}

void main() {
  uint i = gl_LocalInvocationIndex;
  results[i] = compute(data[i]);
  if (gl_SubgroupInvocationID != 3) results[300 + i] = compute(data[i]);
}
