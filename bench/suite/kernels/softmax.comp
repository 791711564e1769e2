#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
// Softmax of rows, a workgroup a row.
//! require subgroup arithmetic
//! each SPELLING INT FORM = subgroup uint 0 | int int 0 | while uint 1
//! buffer x f32[256 * 1024] binding 0 = random(-5.0, 5.0, 1)
//! buffer y f32[256 * 1024] binding 1
//! push u32 1024
//! dispatch 256
//! peer within 1e-5 rel
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) buffer Y { float y[]; };
layout(push_constant) uniform Push { uint size; };
shared float partial[128];

float reduceSum(float value) {
  value = subgroupAdd(value);
  if (subgroupElect()) partial[gl_SubgroupID] = value;
  barrier();
  float sum = 0;
  for (uint s = 0; s < gl_NumSubgroups; ++s) sum += partial[s];
  barrier();
  return sum;
}

float reduceMax(float value) {
  value = subgroupMax(value);
  if (subgroupElect()) partial[gl_SubgroupID] = value;
  barrier();
  float most = partial[0];
  for (uint s = 1; s < gl_NumSubgroups; ++s) most = max(most, partial[s]);
  barrier();
  return most;
}

void main() {
  const INT n = INT(size), row = INT(gl_WorkGroupID.x) * n, lane = INT(gl_LocalInvocationIndex);
  float most = x[row + lane];
#if FORM == 1
  INT i = lane;
  while ((i += 128) < n) most = max(most, x[row + i]);
#else
  for (INT i = lane + 128; i < n; i += 128) most = max(most, x[row + i]);
#endif
  most = reduceMax(most);
  float sum = 0;
  for (INT i = lane; i < n; i += 128) {
    const float value = exp(x[row + i] - most);
    y[row + i] = value;
    sum += value;
  }
  const float scale = 1 / reduceSum(sum);
  for (INT i = lane; i < n; i += 128) y[row + i] *= scale;
}
