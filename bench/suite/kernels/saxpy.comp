#version 450
// y = a x + y.
//! each SPELLING INT FORM WIDTH GROUPS = uint uint 0 1 4096 | int int 0 1 4096
//!+ | clamped uint 1 1 4096 | stride uint 2 1 256 | while uint 3 1 256 | square uint 4 1 4096
//!+ | vec2 uint 0 2 2048 | vec4 uint 0 4 1024
//! buffer x f32[1 << 20] binding 0 = random(-1.0, 1.0, 1)
//! buffer y f32[1 << 20] binding 1 = random(-1.0, 1.0, 2)
//! push f32 0.0009765625, u32 1 << 20
//! dispatch $(GROUPS)
//! peer within 1e-6 rel or 1e-7 abs
#if WIDTH == 4
#define TYPE vec4
#elif WIDTH == 2
#define TYPE vec2
#else
#define TYPE float
#endif
#if FORM == 4
layout(local_size_x = 16, local_size_y = 16) in;
#else
layout(local_size_x = 256) in;
#endif
layout(binding = 0) readonly buffer X { TYPE x[]; };
layout(binding = 1) buffer Y { TYPE y[]; };
layout(push_constant) uniform Push { float a; uint elements; };

void main() {
  const INT n = INT(elements) / WIDTH;
#if FORM == 0
  const INT i = INT(gl_GlobalInvocationID.x);
  if (i < n) y[i] = a * x[i] + y[i];
#elif FORM == 1
  const INT i = min(INT(gl_GlobalInvocationID.x), n - 1);
  y[i] = a * x[i] + y[i];
#elif FORM == 2
  for (INT i = INT(gl_GlobalInvocationID.x); i < n; i += INT(gl_NumWorkGroups.x * 256))
    y[i] = a * x[i] + y[i];
#elif FORM == 3
  INT i = INT(gl_GlobalInvocationID.x);
  while (i < n) {
    y[i] += a * x[i];
    i += INT(gl_NumWorkGroups.x * gl_WorkGroupSize.x);
  }
#else
  const INT i = INT(gl_WorkGroupID.x * 256 + gl_LocalInvocationIndex);
  if (i >= n) return;
  y[i] = a * x[i] + y[i];
#endif
}
