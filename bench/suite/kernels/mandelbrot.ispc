// SPDX-License-Identifier: Apache-2.0

// Multiply-adds of single products: the compiler makes an fma of each.
export void mandelbrot(const uniform unsigned int32 push[], uniform unsigned int32 steps[]) {
  const uniform int w = push[0];
  const uniform int most = push[1];
  for (uniform int y = 0; y < w; ++y)
    foreach (x = 0 ... w) {
      const float cr = x * 0.01171875f - 2.0f;
      const float ci = y * 0.01171875f - 1.5f;
      float r = 0, i = 0;
      int n = 0;
      while (n < most && max(abs(r), abs(i)) <= 2) {
        const float next = r * r + (cr - i * i);
        i = 2 * r * i + ci;
        r = next;
        ++n;
      }
      steps[y * w + x] = n;
    }
}
