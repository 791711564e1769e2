// SPDX-License-Identifier: Apache-2.0

export void conv5x5_clamp(const uniform unsigned int32 push[], const uniform float image[],
                          const uniform float weights[], uniform float result[]) {
  const uniform int w = push[0];
  const uniform int h = push[1];
  for (uniform int y = 0; y < h; ++y)
    foreach (x = 0 ... w) {
      float sum = 0;
      for (uniform int j = -2; j <= 2; ++j)
        for (uniform int i = -2; i <= 2; ++i)
          sum += weights[(j + 2) * 5 + i + 2] *
                 image[clamp(y + j, 0, h - 1) * w + clamp(x + i, 0, w - 1)];
      result[y * w + x] = sum;
    }
}
