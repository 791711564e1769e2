#version 450
// Products of pairs of 4x4 matrices.
//! each SPELLING INT FORM WIDTH GROUPS = element uint 0 1 2048 | int int 0 1 2048 | while uint 1 1 2048
//!+ | column uint 2 4 512 | mat4 uint 3 4 128
//! buffer a f32[1 << 19] binding 0 = random(-1.0, 1.0, 1)
//! buffer b f32[1 << 19] binding 1 = random(-1.0, 1.0, 2)
//! buffer c f32[1 << 19] binding 2
//! dispatch $(GROUPS)
//! peer within 1e-5 abs
layout(local_size_x = 256) in;
#if FORM == 3
#define TYPE mat4
#elif FORM == 2
#define TYPE vec4
#else
#define TYPE float
#endif
layout(binding = 0) readonly buffer A { TYPE a[]; };
layout(binding = 1) readonly buffer B { TYPE b[]; };
layout(binding = 2) writeonly buffer C { TYPE c[]; };

void main() {
  const INT i = INT(gl_GlobalInvocationID.x);
#if FORM == 3
  c[i] = a[i] * b[i];
#elif FORM == 2
  const INT first = i / 4 * 4;
  const vec4 column = b[i];
  c[i] = a[first] * column.x + a[first + 1] * column.y + a[first + 2] * column.z +
         a[first + 3] * column.w;
#else
  const INT first = i / 16 * 16, column = i % 16 / 4, row = i % 4;
  float sum = 0;
#if FORM == 1
  INT k = 0;
  do {
    sum += a[first + k * 4 + row] * b[first + column * 4 + k];
    ++k;
  } while (k < 4);
#else
  for (INT k = 0; k < 4; ++k) sum += a[first + k * 4 + row] * b[first + column * 4 + k];
#endif
  c[i] = sum;
#endif
}
