#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
// Rows with their mean taken off and divided by their deviation, a workgroup a row.
//! require subgroup arithmetic
//! each SPELLING INT FORM = subgroup uint 0 | int int 0 | while uint 1
//! buffer x f32[256 * 1024] binding 0 = random(-5.0, 5.0, 1)
//! buffer gain f32[1024] binding 1 = random(0.5, 1.5, 2)
//! buffer bias f32[1024] binding 2 = random(-1.0, 1.0, 3)
//! buffer y f32[256 * 1024] binding 3
//! push u32 1024
//! dispatch 256
//! peer within 2e-5 abs
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) readonly buffer Gain { float gain[]; };
layout(binding = 2) readonly buffer Bias { float bias[]; };
layout(binding = 3) writeonly buffer Y { float y[]; };
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

void main() {
  const INT n = INT(size), row = INT(gl_WorkGroupID.x) * n, lane = INT(gl_LocalInvocationIndex);
  float sum = 0;
#if FORM == 1
  INT i = lane;
  while (i < n) {
    sum += x[row + i];
    i += 128;
  }
#else
  for (INT i = lane; i < n; i += 128) sum += x[row + i];
#endif
  const float mean = reduceSum(sum) / float(n);
  float squares = 0;
  for (INT i = lane; i < n; i += 128) {
    const float off = x[row + i] - mean;
    squares += off * off;
  }
  const float scale = inversesqrt(reduceSum(squares) / float(n) + 1e-5);
  for (INT i = lane; i < n; i += 128)
    y[row + i] = (x[row + i] - mean) * scale * gain[i] + bias[i];
}
