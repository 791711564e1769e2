// SPDX-License-Identifier: Apache-2.0

export void matvec_q8(const uniform unsigned int32 push[], const uniform int8 quants[],
                      const uniform float scales[], const uniform float x[], uniform float y[]) {
  const uniform int n = push[0];
  const uniform int blocks = n / 32;
  for (uniform int row = 0; row < 1024; ++row) {
    float sum = 0;
    for (uniform int b = 0; b < blocks; ++b) {
      const uniform float scale = scales[row * blocks + b];
      foreach (k = b * 32 ... b * 32 + 32) sum += scale * (float)quants[row * n + k] * x[k];
    }
    y[row] = reduce_add(sum);
  }
}
