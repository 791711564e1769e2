// SPDX-License-Identifier: Apache-2.0

export void triangular_solve(const uniform unsigned int32 push[], const uniform float l[],
                             const uniform float b[], uniform float x[]) {
  const uniform int n = push[0], m = push[1];
  foreach (side = 0 ... m) {
    for (uniform int row = 0; row < n; ++row) {
      float sum = b[row * m + side];
      for (uniform int k = 0; k < row; ++k) sum -= l[row * n + k] * x[k * m + side];
      x[row * m + side] = sum / l[row * n + row];
    }
  }
}
