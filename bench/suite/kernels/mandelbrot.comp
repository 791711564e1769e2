#version 450
// Steps until a point leaves the square in which the Mandelbrot set lies, 256 at most. All products
// that are added to are fma: the steps depend on each rounding.
//! each SPELLING INT FORM X Y = for uint 0 16 16 | int int 0 16 16 | while uint 1 16 16 | break uint 2 16 16
//!+ | vector uint 3 16 16 | 64x1 uint 0 64 1
//! buffer steps u32[256 * 256] binding 0
//! push u32 256, u32 256
//! dispatch 256/$(X) 256/$(Y)
//! peer
layout(local_size_x = X, local_size_y = Y) in;
layout(binding = 0) writeonly buffer Steps { uint steps[]; };
layout(push_constant) uniform Push { uint width, most; };

void main() {
  const INT w = INT(width), x = INT(gl_GlobalInvocationID.x), y = INT(gl_GlobalInvocationID.y);
  const vec2 c = vec2(fma(float(x), 0.01171875, -2.0), fma(float(y), 0.01171875, -1.5));
  INT n = 0;
#if FORM == 3
  vec2 z = vec2(0);
  for (; n < INT(most); ++n) {
    if (max(abs(z.x), abs(z.y)) > 2) break;
    z = fma(vec2(z.x, 2 * z.x), z, vec2(fma(-z.y, z.y, c.x), c.y));
  }
#else
  float r = 0, i = 0;
#if FORM == 1
  while (n < INT(most) && max(abs(r), abs(i)) <= 2) {
    const float next = fma(r, r, fma(-i, i, c.x));
    i = fma(2 * r, i, c.y);
    r = next;
    n++;
  }
#elif FORM == 2
  for (n = 0; n < INT(most); ++n) {
    if (max(abs(r), abs(i)) > 2) break;
    const float next = fma(r, r, fma(-i, i, c.x));
    i = fma(2 * r, i, c.y);
    r = next;
  }
#else
  for (; n < INT(most) && max(abs(r), abs(i)) <= 2; ++n) {
    const float next = fma(r, r, fma(-i, i, c.x));
    i = fma(2 * r, i, c.y);
    r = next;
  }
#endif
#endif
  steps[y * w + x] = uint(n);
}
