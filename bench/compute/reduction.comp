#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Sums { float sums[]; };

void main() {
  float sum = subgroupAdd(data[gl_GlobalInvocationID.x]);
  if (subgroupElect()) sums[gl_WorkGroupID.x * gl_NumSubgroups + gl_SubgroupID] = sum;
}
