#version 450
// Values of options by a binomial tree of 64 steps, a tree an invocation.
//! each SPELLING INT FORM = for uint 0 | int int 0 | while uint 1 | mix uint 2
//! buffer price f32[2048] binding 0 = random(5.0, 30.0, 1)
//! buffer value f32[2048] binding 1
//! push u32 64, f32 1.02, f32 0.52
//! dispatch 32
//! peer within 1e-4 abs
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Price { float price[]; };
layout(binding = 1) writeonly buffer Value { float value[]; };
layout(push_constant) uniform Push { uint steps; float up, chance; };

void main() {
  const INT n = INT(steps), i = INT(gl_GlobalInvocationID.x);
  float values[65];
  float end = price[i] * exp(-float(n) * log(up));
  for (INT k = 0; k <= 64; ++k) {
    values[k] = max(end - 15.0, 0.0);
    end *= up * up;
  }
#if FORM == 1
  INT left = n;
  while (left > 0) {
    INT k = 0;
    while (k < left) {
      values[k] = 0.999 * (chance * values[k + 1] + (1 - chance) * values[k]);
      ++k;
    }
    --left;
  }
#else
  for (INT left = n; left > 0; --left)
    for (INT k = 0; k < left; ++k) {
#if FORM == 2
      values[k] = 0.999 * mix(values[k], values[k + 1], chance);
#else
      values[k] = 0.999 * (chance * values[k + 1] + (1 - chance) * values[k]);
#endif
    }
#endif
  value[i] = values[0];
}
