// SPDX-License-Identifier: Apache-2.0

export void conv_depthwise(const uniform unsigned int32 push[], const uniform float image[],
                           const uniform float weights[], uniform float result[]) {
  const uniform int from = push[0];
  const uniform int to = push[1];
  for (uniform int y = 0; y < to; ++y)
    for (uniform int x = 0; x < to; ++x)
      foreach (channel = 0 ... 32) {
        float sum = 0;
        for (uniform int j = 0; j < 3; ++j)
          for (uniform int i = 0; i < 3; ++i)
            sum += weights[(j * 3 + i) * 32 + channel] *
                   image[((y + j) * from + x + i) * 32 + channel];
        result[(y * to + x) * 32 + channel] = sum;
      }
}
