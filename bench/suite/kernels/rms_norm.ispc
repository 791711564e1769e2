// SPDX-License-Identifier: Apache-2.0

export void rms_norm(const uniform unsigned int32 push[], const uniform float x[],
                     const uniform float gain[], uniform float y[]) {
  const uniform int n = push[0];
  for (uniform int row = 0; row < 256; ++row) {
    const uniform float* uniform from = x + row * n;
    float squares = 0;
    foreach (i = 0 ... n) squares += from[i] * from[i];
    const uniform float scale = 1 / sqrt(reduce_add(squares) / n + 1e-6f);
    foreach (i = 0 ... n) y[row * n + i] = from[i] * scale * gain[i];
  }
}
