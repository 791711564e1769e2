#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
// Rows divided by the root of their mean square, a workgroup a row.
//! require subgroup arithmetic
//! each SPELLING INT FORM WIDTH = subgroup uint 0 1 | int int 0 1 | while uint 1 1 | vec4 uint 2 4
//! buffer x f32[256 * 1024] binding 0 = random(-5.0, 5.0, 1)
//! buffer gain f32[1024] binding 1 = random(0.5, 1.5, 2)
//! buffer y f32[256 * 1024] binding 2
//! push u32 1024
//! dispatch 256
//! peer within 1e-5 rel
layout(local_size_x = 128) in;
#if WIDTH == 4
#define TYPE vec4
#define SQUARE(v) dot(v, v)
#else
#define TYPE float
#define SQUARE(v) ((v) * (v))
#endif
layout(binding = 0) readonly buffer X { TYPE x[]; };
layout(binding = 1) readonly buffer Gain { TYPE gain[]; };
layout(binding = 2) writeonly buffer Y { TYPE y[]; };
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
  const INT n = INT(size) / WIDTH, row = INT(gl_WorkGroupID.x) * n;
  const INT lane = INT(gl_LocalInvocationIndex);
  float squares = 0;
#if FORM == 1
  INT k = lane;
  while (k < n) {
    squares += SQUARE(x[row + k]);
    k += 128;
  }
#else
  for (INT i = lane; i < n; i += 128) squares += SQUARE(x[row + i]);
#endif
  const float scale = inversesqrt(reduceSum(squares) / float(size) + 1e-6);
  for (INT i = lane; i < n; i += 128) y[row + i] = x[row + i] * scale * gain[i];
}
