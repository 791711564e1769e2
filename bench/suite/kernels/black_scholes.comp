#version 450
// Prices of options by Black and Scholes.
//! each SPELLING INT FORM WIDTH GROUPS = polynomial uint 0 1 512 | int int 0 1 512 | select uint 1 1 512
//!+ | stride uint 2 1 64 | vec4 uint 3 4 128
//! buffer price f32[1 << 17] binding 0 = random(5.0, 30.0, 1)
//! buffer strike f32[1 << 17] binding 1 = random(1.0, 100.0, 2)
//! buffer years f32[1 << 17] binding 2 = random(0.25, 10.0, 3)
//! buffer value f32[1 << 17] binding 3
//! push u32 1 << 17, f32 0.02, f32 0.3
//! dispatch $(GROUPS)
//! peer within 2e-4 abs
#if WIDTH == 4
#define TYPE vec4
#else
#define TYPE float
#endif
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer Price { TYPE price[]; };
layout(binding = 1) readonly buffer Strike { TYPE strike[]; };
layout(binding = 2) readonly buffer Years { TYPE years[]; };
layout(binding = 3) writeonly buffer Value { TYPE value[]; };
layout(push_constant) uniform Push { uint count; float rate, volatility; };

TYPE normal(TYPE d) {
  const TYPE k = 1 / (1 + 0.2316419 * abs(d));
  const TYPE tail =
      0.39894228040 * exp(-0.5 * d * d) *
      (k * (0.319381530 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429)))));
#if FORM == 3
  return mix(tail, 1 - tail, greaterThan(d, vec4(0)));
#elif FORM == 1
  return d > 0 ? 1 - tail : tail;
#else
  if (d > 0) return 1 - tail;
  return tail;
#endif
}

TYPE option(TYPE s, TYPE x, TYPE t) {
  const TYPE root = sqrt(t);
  const TYPE d1 = (log(s / x) + (rate + 0.5 * volatility * volatility) * t) / (volatility * root);
  const TYPE d2 = d1 - volatility * root;
  return s * normal(d1) - x * exp(-rate * t) * normal(d2);
}

void main() {
  const INT n = INT(count) / WIDTH;
  INT i = INT(gl_GlobalInvocationID.x);
#if FORM == 2
  for (; i < n; i += INT(gl_NumWorkGroups.x * 256)) value[i] = option(price[i], strike[i], years[i]);
#else
  if (i < n) value[i] = option(price[i], strike[i], years[i]);
#endif
}
