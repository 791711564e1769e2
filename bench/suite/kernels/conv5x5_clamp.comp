#version 450
// A filter of 5x5 numbers; outside of the image lies what is at its edge.
//! each SPELLING INT FORM X Y = clamp int 0 16 16 | min_max int 1 16 16 | select int 2 16 16
//!+ | while int 3 16 16 | 32x4 int 0 32 4
//! buffer image f32[512 * 512] binding 0 = random(0.0, 1.0, 1)
//! buffer weights f32[25] binding 1 = random(-1.0, 1.0, 2)
//! buffer result f32[512 * 512] binding 2
//! push u32 512, u32 512
//! dispatch 512/$(X) 512/$(Y)
//! peer within 1e-5 abs
layout(local_size_x = X, local_size_y = Y) in;
layout(binding = 0) readonly buffer Image { float image[]; };
layout(binding = 1) readonly buffer Weights { float weights[]; };
layout(binding = 2) writeonly buffer Result { float result[]; };
layout(push_constant) uniform Push { uint width, height; };

INT inside(INT at, INT size) {
#if FORM == 1
  return min(max(at, 0), size - 1);
#elif FORM == 2
  return at < 0 ? 0 : at >= size ? size - 1 : at;
#else
  return clamp(at, 0, size - 1);
#endif
}

void main() {
  const INT w = INT(width), h = INT(height);
  const INT x = INT(gl_GlobalInvocationID.x), y = INT(gl_GlobalInvocationID.y);
  float sum = 0;
#if FORM == 3
  INT j = -2;
  do {
    INT i = -2;
    do {
      sum += weights[(j + 2) * 5 + i + 2] * image[inside(y + j, h) * w + inside(x + i, w)];
    } while (++i <= 2);
  } while (++j <= 2);
#else
  for (INT j = -2; j <= 2; ++j)
    for (INT i = -2; i <= 2; ++i)
      sum += weights[(j + 2) * 5 + i + 2] * image[inside(y + j, h) * w + inside(x + i, w)];
#endif
  result[y * w + x] = sum;
}
