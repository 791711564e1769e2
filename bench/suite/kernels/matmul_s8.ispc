// SPDX-License-Identifier: Apache-2.0

export void matmul_s8(const uniform unsigned int32 push[], const uniform int8 a[],
                      const uniform int8 b[], uniform int32 c[]) {
  const uniform int n = push[0];
  for (uniform int row = 0; row < n; ++row)
    for (uniform int column = 0; column < n; ++column) {
      int sum = 0;
      foreach (k = 0 ... n) sum += (int)a[row * n + k] * (int)b[column * n + k];
      c[row * n + column] = reduce_add(sum);
    }
}
