#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_KHR_shader_subgroup_arithmetic : require
// A matrix of bytes with a scale for each 32 of them (q8_0) times a vector, a row a subgroup.
//! require subgroup arithmetic
//! require shaderInt8 storageBuffer8BitAccess
//! each SPELLING INT FORM WIDTH = block uint 0 1 | int int 0 1 | while uint 1 1 | lanes uint 2 1
//!+ | i8vec4 uint 3 4
//! buffer quants s8[1024 * 1024] binding 0 = random(-127, 127, 1)
//! buffer scales f32[1024 * 32] binding 1 = random(0.001, 0.01, 2)
//! buffer x f32[1024] binding 2 = random(-1.0, 1.0, 3)
//! buffer y f32[1024] binding 3
//! push u32 1024
//! subgroup 32
//! dispatch 1024/4
//! peer within 1e-3 abs
layout(local_size_x = 128) in;
#if WIDTH == 4
#define TYPE i8vec4
#define WIDE vec4
#else
#define TYPE int8_t
#define WIDE float
#endif
layout(binding = 0) readonly buffer Quants { TYPE quants[]; };
layout(binding = 1) readonly buffer Scales { float scales[]; };
layout(binding = 2) readonly buffer X { WIDE x[]; };
layout(binding = 3) writeonly buffer Y { float y[]; };
layout(push_constant) uniform Push { uint size; };

void main() {
  const INT n = INT(size), blocks = n / 32, lane = INT(gl_SubgroupInvocationID);
  const INT row = INT(gl_WorkGroupID.x) * 4 + INT(gl_SubgroupID);
  float sum = 0;
#if FORM == 1
  INT b = 0;
  while (b < blocks) {
    sum += scales[row * blocks + b] * float(quants[row * n + b * 32 + lane]) * x[b * 32 + lane];
    b++;
  }
#elif FORM == 2
  for (INT k = lane; k < n; k += 32)
    sum += scales[row * blocks + k / 32] * float(quants[row * n + k]) * x[k];
#elif FORM == 3
  for (INT k = lane; k < n / 4; k += 32)
    sum += scales[row * blocks + k / 8] * dot(vec4(quants[row * n / 4 + k]), x[k]);
#else
  for (INT b = 0; b < blocks; ++b) {
    const float scale = scales[row * blocks + b];
    const INT k = b * 32 + lane;
    sum += scale * float(quants[row * n + k]) * x[k];
  }
#endif
  sum = subgroupAdd(sum);
  if (lane == 0) y[row] = sum;
}
