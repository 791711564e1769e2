// SPDX-License-Identifier: Apache-2.0

export void sobel(const uniform unsigned int32 push[], const uniform unsigned int8 image[],
                  uniform unsigned int8 result[]) {
  const uniform int w = push[0];
  const uniform int h = push[1];
  for (uniform int y = 0; y < h; ++y)
    foreach (x = 0 ... w) {
      const int here = y * w + x;
      int sum = 0;
      if (x > 0 && y > 0 && x < w - 1 && y < h - 1) {
        const int a = image[here - w - 1], b = image[here - w], c = image[here - w + 1];
        const int d = image[here - 1], f = image[here + 1];
        const int g = image[here + w - 1], i = image[here + w], j = image[here + w + 1];
        sum = min(abs(c + 2 * f + j - a - 2 * d - g) + abs(g + 2 * i + j - a - 2 * b - c), 255);
      }
      result[here] = (unsigned int8)sum;
    }
}
