// SPDX-License-Identifier: Apache-2.0

export void matvec_row(const uniform unsigned int32 push[], const uniform float a[],
                       const uniform float x[], uniform float y[]) {
  const uniform int n = push[0];
  for (uniform int row = 0; row < n; ++row) {
    float sum = 0;
    foreach (k = 0 ... n) sum += a[row * n + k] * x[k];
    y[row] = reduce_add(sum);
  }
}
