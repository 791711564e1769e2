// SPDX-License-Identifier: Apache-2.0

export void matmul(const uniform unsigned int32 push[], const uniform float a[],
                   const uniform float b[], uniform float c[]) {
  const uniform int n = push[0];
  for (uniform int row = 0; row < n; ++row)
    foreach (column = 0 ... n) {
      float sum = 0;
      for (uniform int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
      c[row * n + column] = sum;
    }
}
