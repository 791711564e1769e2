// SPDX-License-Identifier: Apache-2.0

export void conv3x3(const uniform unsigned int32 push[], const uniform float image[],
                    const uniform float weights[], uniform float result[]) {
  const uniform int w = push[0];
  const uniform int h = push[1];
  for (uniform int y = 0; y < h; ++y)
    foreach (x = 0 ... w) {
      float sum = 0;
      for (uniform int j = 0; j < 3; ++j)
        for (uniform int i = 0; i < 3; ++i) {
          const uniform int row = y + j - 1;
          const int column = x + i - 1;
          if (row >= 0 && row < h && column >= 0 && column < w)
            sum += weights[j * 3 + i] * image[row * w + column];
        }
      result[y * w + x] = sum;
    }
}
