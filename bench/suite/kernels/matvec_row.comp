#version 450
// A matrix times a vector, a row an invocation.
//! each SPELLING INT FORM WIDTH = for uint 0 1 | int int 0 1 | while uint 1 1 | fma uint 2 1
//!+ | vec4 uint 3 4
//! buffer a f32[1024 * 1024] binding 0 = random(-1.0, 1.0, 1)
//! buffer x f32[1024] binding 1 = random(-1.0, 1.0, 2)
//! buffer y f32[1024] binding 2
//! push u32 1024
//! dispatch 16
//! peer within 5e-4 abs
layout(local_size_x = 64) in;
#if WIDTH == 4
#define TYPE vec4
#else
#define TYPE float
#endif
layout(binding = 0) readonly buffer A { TYPE a[]; };
layout(binding = 1) readonly buffer X { TYPE x[]; };
layout(binding = 2) writeonly buffer Y { float y[]; };
layout(push_constant) uniform Push { uint size; };

void main() {
  const INT n = INT(size), row = INT(gl_GlobalInvocationID.x);
  if (row >= n) return;
  float sum = 0;
#if FORM == 1
  INT k = 0;
  while (k < n) {
    sum += a[row * n + k] * x[k];
    ++k;
  }
#elif FORM == 2
  for (INT k = 0; k < n; ++k) sum = fma(a[row * n + k], x[k], sum);
#elif FORM == 3
  for (INT k = 0; k < n / 4; ++k) sum += dot(a[row * n / 4 + k], x[k]);
#else
  for (INT k = 0; k < n; ++k) sum += a[row * n + k] * x[k];
#endif
  y[row] = sum;
}
