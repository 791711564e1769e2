// SPDX-License-Identifier: Apache-2.0

export void softmax(const uniform unsigned int32 push[], const uniform float x[],
                    uniform float y[]) {
  const uniform int n = push[0];
  for (uniform int row = 0; row < 256; ++row) {
    const uniform float* uniform from = x + row * n;
    uniform float* uniform to = y + row * n;
    float most = from[0];
    foreach (i = 0 ... n) most = max(most, from[i]);
    const uniform float greatest = reduce_max(most);
    float sum = 0;
    foreach (i = 0 ... n) {
      const float value = exp(from[i] - greatest);
      to[i] = value;
      sum += value;
    }
    const uniform float scale = 1 / reduce_add(sum);
    foreach (i = 0 ... n) to[i] *= scale;
  }
}
