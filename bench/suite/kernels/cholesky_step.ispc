// SPDX-License-Identifier: Apache-2.0

export void cholesky_step(const uniform unsigned int32 push[], uniform float a[]) {
  const uniform int n = push[0], k = push[1];
  for (uniform int row = k + 1; row < n; ++row)
    foreach (column = k + 1 ... row + 1)
      a[row * n + column] = a[row * n + column] - a[row * n + k] * a[column * n + k];
}
