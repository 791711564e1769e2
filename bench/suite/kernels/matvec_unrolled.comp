#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
// A matrix times a vector, a row a subgroup, four sums side by side.
//! require subgroup arithmetic
//! each SPELLING INT FORM = array uint 0 | int int 0 | named uint 1 | while uint 2 | vector uint 3
//! buffer a f32[1024 * 1024] binding 0 = random(-1.0, 1.0, 1)
//! buffer x f32[1024] binding 1 = random(-1.0, 1.0, 2)
//! buffer y f32[1024] binding 2
//! push u32 1024
//! subgroup 32
//! dispatch 1024/4
//! peer within 5e-4 abs
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) readonly buffer X { float x[]; };
layout(binding = 2) writeonly buffer Y { float y[]; };
layout(push_constant) uniform Push { uint size; };

void main() {
  const INT n = INT(size), lane = INT(gl_SubgroupInvocationID);
  const INT row = INT(gl_WorkGroupID.x * gl_NumSubgroups + gl_SubgroupID);
#if FORM == 1
  float p = 0, q = 0, r = 0, s = 0;
  for (INT k = lane; k < n; k += 128) {
    p += a[row * n + k] * x[k];
    q += a[row * n + k + 32] * x[k + 32];
    r += a[row * n + k + 64] * x[k + 64];
    s += a[row * n + k + 96] * x[k + 96];
  }
  const float sum = subgroupAdd(p + q + r + s);
#elif FORM == 3
  vec4 sums = vec4(0);
  for (INT k = lane; k < n; k += 128) {
    const INT from = row * n + k;
    sums += vec4(a[from], a[from + 32], a[from + 64], a[from + 96]) *
            vec4(x[k], x[k + 32], x[k + 64], x[k + 96]);
  }
  const float sum = subgroupAdd(sums.x + sums.y + sums.z + sums.w);
#else
  float sums[4] = {0, 0, 0, 0};
#if FORM == 2
  INT k = lane;
  while (k < n) {
    for (INT j = 0; j < 4; ++j) sums[j] += a[row * n + k + j * 32] * x[k + j * 32];
    k += 128;
  }
#else
  for (INT k = lane; k < n; k += 128)
    for (INT j = 0; j < 4; ++j) sums[j] += a[row * n + k + j * 32] * x[k + j * 32];
#endif
  const float sum = subgroupAdd(sums[0] + sums[1] + sums[2] + sums[3]);
#endif
  if (lane == 0) y[row] = sum;
}
