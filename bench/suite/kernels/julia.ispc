// SPDX-License-Identifier: Apache-2.0

// Multiply-adds of single products: the compiler makes an fma of each.
export void julia(const uniform unsigned int32 push[], uniform float result[]) {
  const uniform int w = push[0];
  const uniform float cr = floatbits(push[1]);
  const uniform float ci = floatbits(push[2]);
  for (uniform int y = 0; y < w; ++y)
    foreach (x = 0 ... w) {
      float r = x * 0.01171875f - 1.5f;
      float i = y * 0.01171875f - 1.5f;
      for (uniform int n = 0; n < 64; ++n) {
        if (max(abs(r), abs(i)) > 2) break;
        const float next = r * r + (cr - i * i);
        i = 2 * r * i + ci;
        r = next;
      }
      result[y * w + x] = r * r + i * i;
    }
}
