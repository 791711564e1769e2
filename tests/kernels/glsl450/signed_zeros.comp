#version 450
// Odd functions keep the sign of a zero; what infinities and poles give.
//! buffer x f32[4] binding 0 = { 0.0, -0.0, inf, -inf }
//! buffer zeros u32[18] binding 1
//! buffer limits f32[20] binding 2
//! dispatch 1
//! expect zeros = i % 2 * 0x80000000
//! expect limits[0..10] = { pi / 2, 1, inf, inf, inf, inf, inf, 0, inf, 1 } within 1 ulp
//! expect limits[10..20] = { -pi / 2, -1, -inf, 0, nan, nan, -inf, inf, 0, 1 } within 1 ulp
layout(local_size_x = 2) in;
layout(binding = 0) buffer X { float x[]; };
layout(binding = 1) buffer Zeros { uint zeros[]; };
layout(binding = 2) buffer Limits { float limits[]; };
void main() {
  const uint i = gl_LocalInvocationIndex;
  const float zero = x[i];
  float results[9] = {sin(zero), tan(zero), asin(zero), atan(zero), sinh(zero),
                      tanh(zero), asinh(zero), atanh(zero), roundEven(zero)};
  for (uint k = 0; k < 9; ++k) zeros[2 * k + i] = floatBitsToUint(results[k]);
  const float huge = x[2 + i];
  limits[10 * i + 0] = atan(huge);
  limits[10 * i + 1] = tanh(huge);
  limits[10 * i + 2] = sinh(huge);
  limits[10 * i + 3] = exp(huge);
  limits[10 * i + 4] = log(huge);
  limits[10 * i + 5] = acosh(huge);
  limits[10 * i + 6] = asinh(huge);
  limits[10 * i + 7] = pow(2.0, -huge);
  limits[10 * i + 8] = exp2(huge);
  limits[10 * i + 9] = pow(huge, 0.0);
}
