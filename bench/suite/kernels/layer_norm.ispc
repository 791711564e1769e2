// SPDX-License-Identifier: Apache-2.0

export void layer_norm(const uniform unsigned int32 push[], const uniform float x[],
                       const uniform float gain[], const uniform float bias[], uniform float y[]) {
  const uniform int n = push[0];
  for (uniform int row = 0; row < 256; ++row) {
    const uniform float* uniform from = x + row * n;
    float sum = 0, squares = 0;
    foreach (i = 0 ... n) sum += from[i];
    const uniform float mean = reduce_add(sum) / n;
    foreach (i = 0 ... n) squares += (from[i] - mean) * (from[i] - mean);
    const uniform float scale = 1 / sqrt(reduce_add(squares) / n + 1e-5f);
    foreach (i = 0 ... n) y[row * n + i] = (from[i] - mean) * scale * gain[i] + bias[i];
  }
}
