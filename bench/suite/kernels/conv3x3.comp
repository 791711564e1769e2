#version 450
// A filter of 3x3 numbers; what lies outside of the image does not count.
//! each SPELLING INT FORM X Y = if uint 0 16 16 | int int 0 16 16 | continue int 1 16 16 | while int 2 16 16
//!+ | select int 3 16 16 | 8x8 int 0 8 8 | 64x1 int 0 64 1 | unrolled int 4 16 16
//! buffer image f32[512 * 512] binding 0 = random(0.0, 1.0, 1)
//! buffer weights f32[9] binding 1 = random(-1.0, 1.0, 2)
//! buffer result f32[512 * 512] binding 2
//! push u32 512, u32 512
//! dispatch 512/$(X) 512/$(Y)
//! peer within 1e-5 abs
layout(local_size_x = X, local_size_y = Y) in;
layout(binding = 0) readonly buffer Image { float image[]; };
layout(binding = 1) readonly buffer Weights { float weights[]; };
layout(binding = 2) writeonly buffer Result { float result[]; };
layout(push_constant) uniform Push { uint width, height; };

const INT kSize = 3, kRadius = 1;

void main() {
  const INT w = INT(width), h = INT(height);
  const INT x = INT(gl_GlobalInvocationID.x), y = INT(gl_GlobalInvocationID.y);
  float sum = 0;
#if FORM == 1
  for (INT j = 0; j < kSize; ++j) {
    const INT row = y + j - kRadius;
    if (row < 0 || row >= h) continue;
    for (INT i = 0; i < kSize; ++i) {
      const INT column = x + i - kRadius;
      if (column < 0 || column >= w) continue;
      sum += weights[j * kSize + i] * image[row * w + column];
    }
  }
#elif FORM == 2
  INT j = 0;
  while (j < kSize) {
    INT i = 0;
    while (i < kSize) {
      const INT row = y + j - kRadius, column = x + i - kRadius;
      if (row >= 0 && row < h && column >= 0 && column < w)
        sum += weights[j * kSize + i] * image[row * w + column];
      ++i;
    }
    ++j;
  }
#elif FORM == 3
  for (INT j = 0; j < kSize; ++j)
    for (INT i = 0; i < kSize; ++i) {
      const INT row = y + j - kRadius, column = x + i - kRadius;
      const bool inside = row >= 0 && row < h && column >= 0 && column < w;
      sum += inside ? weights[j * kSize + i] * image[row * w + column] : 0.0;
    }
#elif FORM == 4
  for (INT j = -kRadius; j <= kRadius; ++j) {
    if (y + j < 0 || y + j >= h) continue;
    const INT from = (y + j) * w + x, weight = (j + kRadius) * kSize + kRadius;
    sum += weights[weight] * image[from];
    for (INT i = 1; i <= kRadius; ++i) {
      if (x >= i) sum += weights[weight - i] * image[from - i];
      if (x + i < w) sum += weights[weight + i] * image[from + i];
    }
  }
#else
  for (INT j = 0; j < kSize; ++j)
    for (INT i = 0; i < kSize; ++i) {
      const INT row = y + j - kRadius, column = x + i - kRadius;
      if (row >= 0 && row < h && column >= 0 && column < w)
        sum += weights[j * kSize + i] * image[row * w + column];
    }
#endif
  result[y * w + x] = sum;
}
