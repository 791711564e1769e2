#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
// A product of matrices of halves, summed up in floats, 1x4 elements an invocation.
//! require shaderFloat16 storageBuffer16BitAccess
//! each SPELLING INT FORM WIDTH = array uint 0 1 | int int 0 1 | while uint 1 1 | vec4 uint 2 4
//! buffer a f16[256 * 256] binding 0 = random(-1.0, 1.0, 1)
//! buffer b f16[256 * 256] binding 1 = random(-1.0, 1.0, 2)
//! buffer c f32[256 * 256] binding 2
//! push u32 256
//! dispatch 1 256
//! peer within 1e-4 abs
layout(local_size_x = 64) in;
#if WIDTH == 4
#define TYPE f16vec4
#define RESULT vec4
#else
#define TYPE float16_t
#define RESULT float
#endif
layout(binding = 0) readonly buffer A { float16_t a[]; };
layout(binding = 1) readonly buffer B { TYPE b[]; };
layout(binding = 2) writeonly buffer C { RESULT c[]; };
layout(push_constant) uniform Push { uint size; };

void main() {
  const INT n = INT(size), x = INT(gl_GlobalInvocationID.x), row = INT(gl_GlobalInvocationID.y);
#if FORM == 2
  vec4 sum = vec4(0);
  for (INT k = 0; k < n; ++k) sum += float(a[row * n + k]) * vec4(b[k * n / 4 + x]);
  c[row * n / 4 + x] = sum;
#else
  float sums[4] = {0, 0, 0, 0};
#if FORM == 1
  INT k = 0;
  while (k < n) {
    const float p = float(a[row * n + k]);
    for (INT j = 0; j < 4; ++j) sums[j] += p * float(b[k * n + x + j * 64]);
    ++k;
  }
#else
  for (INT k = 0; k < n; ++k) {
    const float p = float(a[row * n + k]);
    for (INT j = 0; j < 4; ++j) sums[j] += p * float(b[k * n + x + j * 64]);
  }
#endif
  for (INT j = 0; j < 4; ++j) c[row * n + x + j * 64] = sums[j];
#endif
}
