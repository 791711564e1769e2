// SPDX-License-Identifier: Apache-2.0

export void matmul_f16(const uniform unsigned int32 push[], const uniform float16 a[],
                       const uniform float16 b[], uniform float c[]) {
  const uniform int n = push[0];
  for (uniform int row = 0; row < n; ++row)
    foreach (column = 0 ... n / 4) {
      float sums[4] = {0, 0, 0, 0};
      for (uniform int k = 0; k < n; ++k) {
        const uniform float p = a[row * n + k];
        for (uniform int j = 0; j < 4; ++j) sums[j] += p * (float)b[k * n + column + j * n / 4];
      }
      for (uniform int j = 0; j < 4; ++j) c[row * n + column + j * n / 4] = sums[j];
    }
}
