#version 450
// A transposed matrix times a vector, a column an invocation.
//! each SPELLING INT FORM = for uint 0 | int int 0 | while uint 1 | fma uint 2
//!+ | clamp uint 3
//! buffer a f32[1024 * 1024] binding 0 = random(-1.0, 1.0, 1)
//! buffer x f32[1024] binding 1 = random(-1.0, 1.0, 2)
//! buffer y f32[1024] binding 2
//! push u32 1024
//! dispatch 16
//! peer within 5e-4 abs
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) readonly buffer X { float x[]; };
layout(binding = 2) writeonly buffer Y { float y[]; };
layout(push_constant) uniform Push { uint size; };

void main() {
  const INT n = INT(size);
#if FORM == 3
  const INT column = min(INT(gl_GlobalInvocationID.x), n - 1);
#else
  const INT column = INT(gl_GlobalInvocationID.x);
  if (column >= n) return;
#endif
  float sum = 0;
#if FORM == 1
  INT k = 0;
  while (k < n) {
    sum += a[k * n + column] * x[k];
    ++k;
  }
#elif FORM == 2
  for (INT k = 0; k < n; ++k) sum = fma(a[k * n + column], x[k], sum);
#else
  for (INT k = 0; k < n; ++k) sum += a[k * n + column] * x[k];
#endif
  y[column] = sum;
}
