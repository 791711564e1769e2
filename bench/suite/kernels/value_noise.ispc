// SPDX-License-Identifier: Apache-2.0

static inline float lattice(unsigned int x, unsigned int y) {
  unsigned int h = x * 374761393 + y * 668265263;
  h = (h ^ (h >> 13)) * 1274126177;
  return (float)(int)((h ^ (h >> 16)) & 0xffffff) * (1.0f / 16777216.0f);
}

static inline float noise(float u, float v) {
  const unsigned int x = (int)u, y = (int)v;
  float a = u - (float)(int)x;
  float b = v - (float)(int)y;
  a = a * a * (3 - 2 * a);
  b = b * b * (3 - 2 * b);
  const float above = lattice(x, y) * (1 - a) + lattice(x + 1, y) * a;
  const float below = lattice(x, y + 1) * (1 - a) + lattice(x + 1, y + 1) * a;
  return above * (1 - b) + below * b;
}

export void value_noise(const uniform unsigned int32 push[], uniform float result[]) {
  const uniform int w = push[0];
  for (uniform int y = 0; y < w; ++y)
    foreach (x = 0 ... w) {
      float u = x * 0.03125f;
      float v = y * 0.03125f;
      float sum = 0, weight = 0.5f;
      for (uniform int octave = 0; octave < 4; ++octave) {
        sum += weight * noise(u, v);
        weight *= 0.5f;
        u *= 2;
        v *= 2;
      }
      result[y * w + x] = sum;
    }
}
