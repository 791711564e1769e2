// SPDX-License-Identifier: Apache-2.0

float normal(float d) {
  const float k = 1 / (1 + 0.2316419f * fabs(d));
  const float tail =
      0.39894228040f * exp(-0.5f * d * d) *
      (k * (0.319381530f +
            k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1 - tail : tail;
}

kernel __attribute__((reqd_work_group_size(256, 1, 1))) void black_scholes(
    constant uint* push, global const float* restrict price, global const float* restrict strike,
    global const float* restrict years, global float* restrict value) {
  const float rate = as_float(push[1]), volatility = as_float(push[2]);
  const uint i = get_global_id(0);
  const float s = price[i], x = strike[i], t = years[i], root = sqrt(t);
  const float d1 =
      (log(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
  const float d2 = d1 - volatility * root;
  value[i] = s * normal(d1) - x * exp(-rate * t) * normal(d2);
}
