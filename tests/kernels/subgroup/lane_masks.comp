#version 450
// SubgroupEqMask, GeMask, GtMask, LeMask and LtMask.
//! each SIZE = 8 | 16 | 32 | 64
//! require subgroup ballot
//! buffer results u64[640] binding 0
//! subgroup $(SIZE)
//! dispatch 1
//! expect results[0..128 step 2] = 1 << n % subgroup_size
//! expect results[128..256 step 2] = (1 << subgroup_size) - (1 << n % subgroup_size)
//! expect results[256..384 step 2] = (1 << subgroup_size) - (2 << n % subgroup_size)
//! expect results[384..512 step 2] = (2 << n % subgroup_size) - 1
//! expect results[512..640 step 2] = (1 << n % subgroup_size) - 1
//! expect results[1..640 step 2] = 0
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 64) in;
layout(binding = 0) writeonly buffer Results { uvec4 results[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  results[i] = gl_SubgroupEqMask;
  results[64 + i] = gl_SubgroupGeMask;
  results[128 + i] = gl_SubgroupGtMask;
  results[192 + i] = gl_SubgroupLeMask;
  results[256 + i] = gl_SubgroupLtMask;
}
