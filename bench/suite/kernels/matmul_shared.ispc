// SPDX-License-Identifier: Apache-2.0

export void matmul_shared(const uniform unsigned int32 push[], const uniform float a[],
                          const uniform float b[], uniform float c[]) {
  const uniform int n = push[0];
  for (uniform int row = 0; row < n; row += 16)
    for (uniform int column = 0; column < n; column += 16) {
      uniform float a_tile[16][16], b_tile[16][16], sums[16][16];
      for (uniform int y = 0; y < 16; ++y)
        foreach (x = 0 ... 16) sums[y][x] = 0;
      for (uniform int depth = 0; depth < n; depth += 16) {
        for (uniform int y = 0; y < 16; ++y)
          foreach (x = 0 ... 16) {
            a_tile[y][x] = a[(row + y) * n + depth + x];
            b_tile[y][x] = b[(depth + y) * n + column + x];
          }
        for (uniform int y = 0; y < 16; ++y)
          foreach (x = 0 ... 16) {
            float sum = sums[y][x];
            for (uniform int k = 0; k < 16; ++k) sum += a_tile[y][k] * b_tile[k][x];
            sums[y][x] = sum;
          }
      }
      for (uniform int y = 0; y < 16; ++y)
        foreach (x = 0 ... 16) c[(row + y) * n + column + x] = sums[y][x];
    }
}
