// SPDX-License-Identifier: Apache-2.0

export void matvec_q4(const uniform unsigned int32 push[], const uniform unsigned int8 quants[],
                      const uniform float scales[], const uniform float x[], uniform float y[]) {
  const uniform int blocks = push[0] / 32;
  for (uniform int row = 0; row < 1024; ++row) {
    float sum = 0;
    for (uniform int b = 0; b < blocks; ++b) {
      const uniform int block = row * blocks + b;
      const uniform float scale = scales[block];
      foreach (k = 0 ... 16) {
        const int byte = quants[block * 16 + k];
        sum += scale * ((float)((byte & 15) - 8) * x[b * 32 + k] +
                        (float)((byte >> 4) - 8) * x[b * 32 + 16 + k]);
      }
    }
    y[row] = reduce_add(sum);
  }
}
