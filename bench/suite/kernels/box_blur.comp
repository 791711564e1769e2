#version 450
// Means of 9 elements in a row, edges repeated: half of a separable blur.
//! each SPELLING INT FORM X Y = clamp int 0 64 4 | if int 1 64 4 | while int 2 64 4 | 16x16 int 0 16 16
//! buffer image f32[512 * 512] binding 0 = random(0.0, 1.0, 1)
//! buffer result f32[512 * 512] binding 1
//! push u32 512, u32 512
//! dispatch 512/$(X) 512/$(Y)
//! peer within 1e-6 abs
layout(local_size_x = X, local_size_y = Y) in;
layout(binding = 0) readonly buffer Image { float image[]; };
layout(binding = 1) writeonly buffer Result { float result[]; };
layout(push_constant) uniform Push { uint width, height; };

void main() {
  const INT w = INT(width);
  const INT x = INT(gl_GlobalInvocationID.x), y = INT(gl_GlobalInvocationID.y);
  float sum = 0;
#if FORM == 1
  for (INT i = x - 4; i <= x + 4; ++i) {
    if (i < 0)
      sum += image[y * w];
    else if (i >= w)
      sum += image[y * w + w - 1];
    else
      sum += image[y * w + i];
  }
#elif FORM == 2
  INT i = -4;
  while (i <= 4) {
    sum += image[y * w + min(max(x + i, 0), w - 1)];
    i++;
  }
#else
  for (INT i = -4; i <= 4; ++i) sum += image[y * w + clamp(x + i, 0, w - 1)];
#endif
  result[y * w + x] = sum * (1.0 / 9.0);
}
