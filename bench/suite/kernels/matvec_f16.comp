#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_KHR_shader_subgroup_arithmetic : require
// A matrix of halves times a vector, a row a subgroup.
//! require subgroup arithmetic
//! require shaderFloat16 storageBuffer16BitAccess
//! each SPELLING INT FORM WIDTH = vec4 uint 0 4 | int int 0 4 | while uint 1 4 | scalar uint 2 1
//!+ | vec2 uint 0 2
//! buffer a f16[1024 * 1024] binding 0 = random(-1.0, 1.0, 1)
//! buffer x f32[1024] binding 1 = random(-1.0, 1.0, 2)
//! buffer y f32[1024] binding 2
//! push u32 1024
//! subgroup 32
//! dispatch 1024/4
//! peer within 2e-4 abs
layout(local_size_x = 128) in;
#if WIDTH == 4
#define TYPE f16vec4
#define WIDE vec4
#define PRODUCT(p, q) dot(WIDE(p), q)
#elif WIDTH == 2
#define TYPE f16vec2
#define WIDE vec2
#define PRODUCT(p, q) dot(WIDE(p), q)
#else
#define TYPE float16_t
#define WIDE float
#define PRODUCT(p, q) (float(p) * (q))
#endif
layout(binding = 0) readonly buffer A { TYPE a[]; };
layout(binding = 1) readonly buffer X { WIDE x[]; };
layout(binding = 2) writeonly buffer Y { float y[]; };
layout(push_constant) uniform Push { uint size; };

void main() {
  const INT n = INT(size) / WIDTH, lane = INT(gl_SubgroupInvocationID);
  const INT row = INT(gl_WorkGroupID.x) * 4 + INT(gl_SubgroupID);
  float sum = 0;
#if FORM == 1
  INT k = lane;
  while (k < n) {
    sum += PRODUCT(a[row * n + k], x[k]);
    k += 32;
  }
#else
  for (INT k = lane; k < n; k += 32) sum += PRODUCT(a[row * n + k], x[k]);
#endif
  sum = subgroupAdd(sum);
  if (lane == 0) y[row] = sum;
}
