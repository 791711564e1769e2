// SPDX-License-Identifier: Apache-2.0

export void julia(const uniform unsigned int32 push[], uniform float result[]) {
  const uniform int w = push[0];
  const uniform float cr = floatbits(push[1]);
  const uniform float ci = floatbits(push[2]);
  for (uniform int y = 0; y < w; ++y)
    foreach (x = 0 ... w) {
      float r = fma((float)x, 0.01171875f, -1.5f);
      float i = fma((float)y, 0.01171875f, -1.5f);
      for (uniform int n = 0; n < 64; ++n) {
        if (fma(r, r, i * i) > 4) break;
        const float next = fma(r, r, fma(-i, i, cr));
        i = fma(2 * r, i, ci);
        r = next;
      }
      result[y * w + x] = fma(r, r, i * i);
    }
}
