#version 450
// Medians of 3x3 elements, edges repeated, by a network of comparisons.
//! each SPELLING INT FORM X Y = min_max int 0 16 16 | swap int 1 16 16 | uint uint 0 16 16 | 64x1 int 0 64 1
//! buffer image f32[256 * 256] binding 0 = random(0.0, 1.0, 1)
//! buffer result f32[256 * 256] binding 1
//! push u32 256, u32 256
//! dispatch 256/$(X) 256/$(Y)
//! peer
layout(local_size_x = X, local_size_y = Y) in;
layout(binding = 0) readonly buffer Image { float image[]; };
layout(binding = 1) writeonly buffer Result { float result[]; };
layout(push_constant) uniform Push { uint width, height; };

void order(inout float a, inout float b) {
#if FORM == 1
  if (a > b) {
    const float c = a;
    a = b;
    b = c;
  }
#else
  const float low = min(a, b);
  b = max(a, b);
  a = low;
#endif
}

void main() {
  const INT w = INT(width), h = INT(height);
  const INT x = INT(gl_GlobalInvocationID.x), y = INT(gl_GlobalInvocationID.y);
  float p[9];
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i)
      p[j * 3 + i] = image[INT(clamp(int(y) + j - 1, 0, int(h) - 1)) * w +
                           INT(clamp(int(x) + i - 1, 0, int(w) - 1))];
  for (int k = 0; k < 9; k += 3) {
    order(p[k], p[k + 1]);
    order(p[k + 1], p[k + 2]);
    order(p[k], p[k + 1]);
  }
  const float low = max(max(p[0], p[3]), p[6]), high = min(min(p[2], p[5]), p[8]);
  order(p[1], p[4]);
  order(p[4], p[7]);
  order(p[1], p[4]);
  float a = low, b = p[4], c = high;
  order(a, b);
  order(b, c);
  order(a, b);
  result[y * w + x] = b;
}
