#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
// A matrix times a vector, a row a subgroup.
//! require subgroup arithmetic
//! each SPELLING INT FORM WIDTH = for uint 0 1 | int int 0 1 | while uint 1 1
//!+ | vec2 uint 0 2 | vec4 uint 0 4
//! buffer a f32[1024 * 1024] binding 0 = random(-1.0, 1.0, 1)
//! buffer x f32[1024] binding 1 = random(-1.0, 1.0, 2)
//! buffer y f32[1024] binding 2
//! push u32 1024
//! subgroup 32
//! dispatch 1024/4
//! peer within 5e-4 abs
layout(local_size_x = 128) in;
#if WIDTH == 4
#define TYPE vec4
#define PRODUCT(p, q) dot(p, q)
#elif WIDTH == 2
#define TYPE vec2
#define PRODUCT(p, q) dot(p, q)
#else
#define TYPE float
#define PRODUCT(p, q) ((p) * (q))
#endif
layout(binding = 0) readonly buffer A { TYPE a[]; };
layout(binding = 1) readonly buffer X { TYPE x[]; };
layout(binding = 2) writeonly buffer Y { float y[]; };
layout(push_constant) uniform Push { uint size; };

void main() {
  const INT n = INT(size) / WIDTH, lane = INT(gl_SubgroupInvocationID);
  const INT row = INT(gl_WorkGroupID.x * gl_NumSubgroups + gl_SubgroupID);
  float sum = 0;
#if FORM == 1
  INT k = lane;
  while (k < n) {
    sum += a[row * n + k] * x[k];
    k += 32;
  }
#else
  for (INT k = lane; k < n; k += 32) sum += PRODUCT(a[row * n + k], x[k]);
#endif
  sum = subgroupAdd(sum);
  if (lane == 0) y[row] = sum;
}
