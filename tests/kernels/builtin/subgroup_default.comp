#version 450
// The subgroup built-ins at the device's own size, with a barrier between them.
//! require subgroup basic
//! buffer results u32[192] binding 0
//! dispatch 2
//! expect results = (i % 96) / subgroup_size * 1000 + (i % 96) % subgroup_size
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 96) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };
shared uint ids[96];

void main() {
  uint i = gl_LocalInvocationIndex;
  ids[95 - i] = gl_SubgroupID;
  barrier();
  results[gl_GlobalInvocationID.x] = ids[95 - i] * 1000 + gl_SubgroupInvocationID;
}
