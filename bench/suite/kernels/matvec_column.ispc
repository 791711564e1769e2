// SPDX-License-Identifier: Apache-2.0

export void matvec_column(const uniform unsigned int32 push[], const uniform float a[],
                          const uniform float x[], uniform float y[]) {
  const uniform int n = push[0];
  foreach (column = 0 ... n) {
    float sum = 0;
    for (uniform int k = 0; k < n; ++k) sum += a[k * n + column] * x[k];
    y[column] = sum;
  }
}
