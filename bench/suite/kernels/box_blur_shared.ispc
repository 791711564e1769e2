// SPDX-License-Identifier: Apache-2.0

export void box_blur_shared(const uniform unsigned int32 push[], const uniform float image[],
                            uniform float result[]) {
  const uniform int w = push[0];
  const uniform int h = push[1];
  for (uniform int y = 0; y < h; ++y)
    foreach (x = 0 ... w) {
      float sum = 0;
      for (uniform int i = -4; i <= 4; ++i) sum += image[y * w + clamp(x + i, 0, w - 1)];
      result[y * w + x] = sum * (1.0f / 9.0f);
    }
}
