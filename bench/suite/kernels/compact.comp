#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
// The elements of each block of 256 that are above a limit, in their order, and their number.
//! require subgroup arithmetic
//! require subgroup ballot
//! each SPELLING INT FORM = ballot uint 0 | int int 0 | scan uint 1
//! buffer data f32[1 << 18] binding 0 = random(-1.0, 1.0, 1)
//! buffer kept f32[1 << 18] binding 1
//! buffer counts u32[1024] binding 2
//! push f32 0.25
//! dispatch 1024
//! peer
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Kept { float kept[]; };
layout(binding = 2) writeonly buffer Counts { uint counts[]; };
layout(push_constant) uniform Push { float limit; };
shared uint totals[256];

void main() {
  const INT lane = INT(gl_LocalInvocationIndex);
  const float value = data[gl_GlobalInvocationID.x];
  const bool keep = value > limit;
#if FORM == 1
  uint place = subgroupExclusiveAdd(keep ? 1u : 0u);
  const uint of_group = subgroupAdd(keep ? 1u : 0u);
#else
  const uvec4 kept_by = subgroupBallot(keep);
  uint place = subgroupBallotExclusiveBitCount(kept_by);
  const uint of_group = subgroupBallotBitCount(kept_by);
#endif
  if (subgroupElect()) totals[gl_SubgroupID] = of_group;
  barrier();
  uint total = 0;
  for (uint s = 0; s < gl_NumSubgroups; ++s) {
    if (s == gl_SubgroupID) place += total;
    total += totals[s];
  }
  if (keep) kept[gl_WorkGroupID.x * 256 + place] = value;
  if (lane == 0) counts[gl_WorkGroupID.x] = total;
}
