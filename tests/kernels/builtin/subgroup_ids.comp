#version 450
// SubgroupSize, SubgroupId, NumSubgroups and SubgroupLocalInvocationId: invocations are numbered
// through the subgroups of a one-dimensional workgroup.
//! each SIZE = 8 | 16 | 32 | 64
//! require subgroup basic
//! buffer results u32[400] binding 0
//! subgroup $(SIZE)
//! dispatch 1
//! expect results[0..100] = subgroup_size
//! expect results[100..200] = (100 + subgroup_size - 1) / subgroup_size
//! expect results[200..300] = n / subgroup_size
//! expect results[300..400] = n % subgroup_size
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 100) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  results[i] = gl_SubgroupSize;
  results[100 + i] = gl_NumSubgroups;
  results[200 + i] = gl_SubgroupID;
  results[300 + i] = gl_SubgroupInvocationID;
}
