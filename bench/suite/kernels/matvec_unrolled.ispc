// SPDX-License-Identifier: Apache-2.0

export void matvec_unrolled(const uniform unsigned int32 push[], const uniform float a[],
                            const uniform float x[], uniform float y[]) {
  const uniform int n = push[0];
  for (uniform int row = 0; row < 1024; ++row) {
    const uniform float* uniform from = a + row * n;
    float p = 0, q = 0, r = 0, s = 0;
    for (uniform int k = 0; k < n; k += 4 * programCount) {
      const int i = k + programIndex;
      p += from[i] * x[i];
      q += from[i + programCount] * x[i + programCount];
      r += from[i + 2 * programCount] * x[i + 2 * programCount];
      s += from[i + 3 * programCount] * x[i + 3 * programCount];
    }
    y[row] = reduce_add(p + q + r + s);
  }
}
