// SPDX-License-Identifier: Apache-2.0

export void matmul_registers(const uniform unsigned int32 push[], const uniform float a[],
                             const uniform float b[], uniform float c[]) {
  const uniform int n = push[0];
  for (uniform int row = 0; row < n; row += 64)
    for (uniform int column = 0; column < n; column += 64) {
      uniform float a_tile[64][16], b_tile[16][64], sums[64][64];
      foreach (e = 0 ... 64 * 64) sums[e / 64][e % 64] = 0;
      for (uniform int depth = 0; depth < n; depth += 16) {
        for (uniform int i = 0; i < 64; ++i)
          foreach (k = 0 ... 16) a_tile[i][k] = a[(row + i) * n + depth + k];
        for (uniform int k = 0; k < 16; ++k)
          foreach (j = 0 ... 64) b_tile[k][j] = b[(depth + k) * n + column + j];
        for (uniform int i = 0; i < 64; i += 8)
          foreach (j = 0 ... 64) {
            float part[8];
            for (uniform int r = 0; r < 8; ++r) part[r] = sums[i + r][j];
            for (uniform int k = 0; k < 16; ++k) {
              const float q = b_tile[k][j];
              for (uniform int r = 0; r < 8; ++r) part[r] += a_tile[i + r][k] * q;
            }
            for (uniform int r = 0; r < 8; ++r) sums[i + r][j] = part[r];
          }
      }
      for (uniform int i = 0; i < 64; ++i)
        foreach (j = 0 ... 64) c[(row + i) * n + column + j] = sums[i][j];
    }
}
