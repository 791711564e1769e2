// SPDX-License-Identifier: Apache-2.0

export void conv_channels(const uniform unsigned int32 push[], const uniform float image[],
                          const uniform float weights[], uniform float result[]) {
  const uniform int from = push[0];
  const uniform int to = push[1];
  for (uniform int channel = 0; channel < 16; ++channel)
    for (uniform int y = 0; y < to; ++y)
      foreach (x = 0 ... to) {
        float sum = 0;
        for (uniform int c = 0; c < 16; ++c)
          for (uniform int j = 0; j < 3; ++j)
            for (uniform int i = 0; i < 3; ++i)
              sum += weights[((channel * 16 + c) * 3 + j) * 3 + i] *
                     image[(c * from + y + j) * from + x + i];
        result[(channel * to + y) * to + x] = sum;
      }
}
