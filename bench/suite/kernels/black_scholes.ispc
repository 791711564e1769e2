// SPDX-License-Identifier: Apache-2.0

static inline float normal(float d) {
  const float k = 1 / (1 + 0.2316419f * abs(d));
  const float tail =
      0.39894228040f * exp(-0.5f * d * d) *
      (k * (0.319381530f +
            k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1 - tail : tail;
}

export void black_scholes(const uniform unsigned int32 push[], const uniform float price[],
                          const uniform float strike[], const uniform float years[],
                          uniform float value[]) {
  const uniform float rate = floatbits(push[1]);
  const uniform float volatility = floatbits(push[2]);
  foreach (i = 0 ... push[0]) {
    const float s = price[i], x = strike[i], t = years[i];
    const float root = sqrt(t);
    const float d1 = (log(s / x) + (rate + 0.5f * volatility * volatility) * t) /
                     (volatility * root);
    const float d2 = d1 - volatility * root;
    value[i] = s * normal(d1) - x * exp(-rate * t) * normal(d2);
  }
}
