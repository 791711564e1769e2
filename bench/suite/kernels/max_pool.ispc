// SPDX-License-Identifier: Apache-2.0

export void max_pool(const uniform unsigned int32 push[], const uniform float image[],
                     uniform float result[]) {
  const uniform int w = push[0];
  const uniform int h = push[1];
  for (uniform int y = 0; y < h / 2; ++y)
    foreach (x = 0 ... w / 2) {
      const int from = 2 * y * w + 2 * x;
      result[y * (w / 2) + x] =
          max(max(image[from], image[from + 1]), max(image[from + w], image[from + w + 1]));
    }
}
