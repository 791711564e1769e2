// SPDX-License-Identifier: Apache-2.0

static inline void order(float& a, float& b) {
  const float low = min(a, b);
  b = max(a, b);
  a = low;
}

export void median3x3(const uniform unsigned int32 push[], const uniform float image[],
                      uniform float result[]) {
  const uniform int w = push[0];
  const uniform int h = push[1];
  for (uniform int y = 0; y < h; ++y)
    foreach (x = 0 ... w) {
      float p[9];
      for (uniform int j = 0; j < 3; ++j)
        for (uniform int i = 0; i < 3; ++i)
          p[j * 3 + i] = image[clamp(y + j - 1, 0, h - 1) * w + clamp(x + i - 1, 0, w - 1)];
      for (uniform int k = 0; k < 9; k += 3) {
        order(p[k], p[k + 1]);
        order(p[k + 1], p[k + 2]);
        order(p[k], p[k + 1]);
      }
      float a = max(max(p[0], p[3]), p[6]), c = min(min(p[2], p[5]), p[8]);
      order(p[1], p[4]);
      order(p[4], p[7]);
      order(p[1], p[4]);
      float b = p[4];
      order(a, b);
      order(b, c);
      order(a, b);
      result[y * w + x] = b;
    }
}
