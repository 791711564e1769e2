#version 450
// How far off points of a Julia set are after 64 steps, or where they leave it. All products that
// are added to are fma: the result depends on each rounding.
//! each SPELLING INT FORM X Y = for uint 0 16 16 | int int 0 16 16 | while uint 1 16 16 | do uint 2 16 16 | 8x8 uint 0 8 8
//! buffer result f32[256 * 256] binding 0
//! push u32 256, f32 -0.8, f32 0.156
//! dispatch 256/$(X) 256/$(Y)
//! peer within 1e-6 rel
layout(local_size_x = X, local_size_y = Y) in;
layout(binding = 0) writeonly buffer Result { float result[]; };
layout(push_constant) uniform Push { uint width; float cr, ci; };

void main() {
  const INT w = INT(width), x = INT(gl_GlobalInvocationID.x), y = INT(gl_GlobalInvocationID.y);
  float r = fma(float(x), 0.01171875, -1.5), i = fma(float(y), 0.01171875, -1.5);
  INT n = 0;
#if FORM == 1
  float size = max(abs(r), abs(i));
  while (n < 64 && size <= 2) {
    const float next = fma(r, r, fma(-i, i, cr));
    i = fma(2 * r, i, ci);
    r = next;
    size = max(abs(r), abs(i));
    ++n;
  }
#elif FORM == 2
  do {
    if (max(abs(r), abs(i)) > 2) break;
    const float next = fma(r, r, fma(-i, i, cr));
    i = fma(2 * r, i, ci);
    r = next;
  } while (++n < 64);
#else
  for (; n < 64; ++n) {
    if (max(abs(r), abs(i)) > 2) break;
    const float next = fma(r, r, fma(-i, i, cr));
    i = fma(2 * r, i, ci);
    r = next;
  }
#endif
  result[y * w + x] = fma(r, r, i * i);
}
