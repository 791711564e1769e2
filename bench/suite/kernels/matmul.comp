#version 450
// A product of matrices, an element an invocation.
//! each SPELLING INT FORM X Y = 16x16 uint 0 16 16 | int int 0 16 16 | 8x8 uint 0 8 8
//!+ | 64x1 uint 0 64 1 | while uint 1 16 16 | fma uint 2 16 16 | pointer uint 3 16 16
//! buffer a f32[256 * 256] binding 0 = random(-1.0, 1.0, 1)
//! buffer b f32[256 * 256] binding 1 = random(-1.0, 1.0, 2)
//! buffer c f32[256 * 256] binding 2
//! push u32 256
//! dispatch 256/$(X) 256/$(Y)
//! peer within 1e-4 abs
layout(local_size_x = X, local_size_y = Y) in;
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) readonly buffer B { float b[]; };
layout(binding = 2) writeonly buffer C { float c[]; };
layout(push_constant) uniform Push { uint size; };

void main() {
  const INT n = INT(size), row = INT(gl_GlobalInvocationID.y), column = INT(gl_GlobalInvocationID.x);
  if (row >= n || column >= n) return;
  float sum = 0;
#if FORM == 1
  INT k = 0;
  while (k < n) {
    sum += a[row * n + k] * b[k * n + column];
    k++;
  }
#elif FORM == 2
  for (INT k = 0; k < n; ++k) sum = fma(a[row * n + k], b[k * n + column], sum);
#elif FORM == 3
  INT from_a = row * n, from_b = column;
  for (INT k = 0; k < n; ++k, ++from_a, from_b += n) sum += a[from_a] * b[from_b];
#else
  for (INT k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
#endif
  c[row * n + column] = sum;
}
