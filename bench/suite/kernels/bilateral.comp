#version 450
// A bilateral filter of radius 2.
//! each SPELLING INT FORM X Y = clamp int 0 16 16 | if int 1 16 16 | while int 2 16 16 | 64x1 int 0 64 1
//! buffer image f32[192 * 192] binding 0 = random(0.0, 1.0, 1)
//! buffer result f32[192 * 192] binding 1
//! push u32 192, u32 192
//! dispatch 192/$(X) 192/$(Y)
//! peer within 1e-4 abs
layout(local_size_x = X, local_size_y = Y) in;
layout(binding = 0) readonly buffer Image { float image[]; };
layout(binding = 1) writeonly buffer Result { float result[]; };
layout(push_constant) uniform Push { uint width, height; };

void add(float value, float center, INT i, INT j, inout float sum, inout float weights) {
  const float difference = value - center;
  const float weight = exp(-0.5 * float(i * i + j * j) - 8 * difference * difference);
  sum += weight * value;
  weights += weight;
}

void main() {
  const INT w = INT(width), h = INT(height);
  const INT x = INT(gl_GlobalInvocationID.x), y = INT(gl_GlobalInvocationID.y);
  const float center = image[y * w + x];
  float sum = 0, weights = 0;
#if FORM == 2
  INT k = 0;
  while (k < 25) {
    const INT i = k % 5 - 2, j = k / 5 - 2;
    add(image[clamp(y + j, 0, h - 1) * w + clamp(x + i, 0, w - 1)], center, i, j, sum, weights);
    ++k;
  }
#elif FORM == 1
  for (INT j = -2; j <= 2; ++j)
    for (INT i = -2; i <= 2; ++i) {
      INT row = y + j, column = x + i;
      if (row < 0) row = 0;
      if (row >= h) row = h - 1;
      if (column < 0) column = 0;
      if (column >= w) column = w - 1;
      add(image[row * w + column], center, i, j, sum, weights);
    }
#else
  for (INT j = -2; j <= 2; ++j)
    for (INT i = -2; i <= 2; ++i)
      add(image[clamp(y + j, 0, h - 1) * w + clamp(x + i, 0, w - 1)], center, i, j, sum, weights);
#endif
  result[y * w + x] = sum / weights;
}
