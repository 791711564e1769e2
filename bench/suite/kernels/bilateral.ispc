// SPDX-License-Identifier: Apache-2.0

export void bilateral(const uniform unsigned int32 push[], const uniform float image[],
                      uniform float result[]) {
  const uniform int w = push[0];
  const uniform int h = push[1];
  for (uniform int y = 0; y < h; ++y)
    foreach (x = 0 ... w) {
      const float center = image[y * w + x];
      float sum = 0, weights = 0;
      for (uniform int j = -2; j <= 2; ++j)
        for (uniform int i = -2; i <= 2; ++i) {
          const float value = image[clamp(y + j, 0, h - 1) * w + clamp(x + i, 0, w - 1)];
          const float difference = value - center;
          const float weight = exp(-0.5f * (i * i + j * j) - 8 * difference * difference);
          sum += weight * value;
          weights += weight;
        }
      result[y * w + x] = sum / weights;
    }
}
