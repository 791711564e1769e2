#version 450
// An image made 1.5 times as large, bilinearly.
//! each SPELLING INT FORM X Y = named int 0 16 16 | uint uint 0 16 16 | inline int 1 16 16 | mix int 2 16 16
//!+ | 64x1 int 0 64 1
//! buffer image f32[256 * 256] binding 0 = random(0.0, 1.0, 1)
//! buffer result f32[384 * 384] binding 1
//! push u32 256, u32 384
//! dispatch 384/$(X) 384/$(Y)
//! peer within 1e-5 abs
layout(local_size_x = X, local_size_y = Y) in;
layout(binding = 0) readonly buffer Image { float image[]; };
layout(binding = 1) writeonly buffer Result { float result[]; };
layout(push_constant) uniform Push { uint in_size, out_size; };

void main() {
  const INT from = INT(in_size), to = INT(out_size);
  const INT x = INT(gl_GlobalInvocationID.x), y = INT(gl_GlobalInvocationID.y);
  const float scale = float(from) / float(to);
  const float u = max((float(x) + 0.5) * scale - 0.5, 0.0);
  const float v = max((float(y) + 0.5) * scale - 0.5, 0.0);
  const INT left = INT(u), top = INT(v);
  const INT right = min(left + 1, from - 1), bottom = min(top + 1, from - 1);
#if FORM == 1
  result[y * to + x] =
      (image[top * from + left] * (1 - fract(u)) + image[top * from + right] * fract(u)) * (1 - fract(v)) +
      (image[bottom * from + left] * (1 - fract(u)) + image[bottom * from + right] * fract(u)) * fract(v);
#elif FORM == 2
  result[y * to + x] = mix(mix(image[top * from + left], image[top * from + right], fract(u)),
                           mix(image[bottom * from + left], image[bottom * from + right], fract(u)),
                           fract(v));
#else
  const float a = u - float(left), b = v - float(top);
  const float upper = image[top * from + left] * (1 - a) + image[top * from + right] * a;
  const float lower = image[bottom * from + left] * (1 - a) + image[bottom * from + right] * a;
  result[y * to + x] = upper * (1 - b) + lower * b;
#endif
}
