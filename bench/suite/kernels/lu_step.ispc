// SPDX-License-Identifier: Apache-2.0

export void lu_step(const uniform unsigned int32 push[], uniform float a[]) {
  const uniform int n = push[0], k = push[1];
  for (uniform int row = k + 1; row < n; ++row) {
    const uniform float factor = a[row * n + k] / a[k * n + k];
    foreach (column = k + 1 ... n)
      a[row * n + column] = a[row * n + column] - factor * a[k * n + column];
  }
}
