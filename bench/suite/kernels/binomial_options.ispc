// SPDX-License-Identifier: Apache-2.0

export void binomial_options(const uniform unsigned int32 push[], const uniform float price[],
                             uniform float value[]) {
  const uniform int n = push[0];
  const uniform float up = floatbits(push[1]);
  const uniform float chance = floatbits(push[2]);
  foreach (i = 0 ... 2048) {
    float values[65];
    float end = price[i] * exp(-(uniform float)n * log(up));
    for (uniform int k = 0; k <= 64; ++k) {
      values[k] = max(end - 15.0f, 0.0f);
      end *= up * up;
    }
    for (uniform int left = n; left > 0; --left)
      for (uniform int k = 0; k < left; ++k)
        values[k] = 0.999f * (chance * values[k + 1] + (1 - chance) * values[k]);
    value[i] = values[0];
  }
}
