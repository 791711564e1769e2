#version 450
// The common functions on f64.
//! require shaderFloat64
//! buffer data f64[64] binding 0 = random(-50.0, 50.0, 1)
//! buffer results f64[512] binding 1
//! dispatch 1
//! expect results[0..64] = floor(data[n])
//! expect results[64..128] = round(data[n])
//! expect results[128..192] = abs(data[n])
//! expect results[192..256] = clamp(data[n], -3.25, 7.5)
//! expect results[256..320] = fma(data[n], data[63 - n], 1.5) within 2 ulp or 1e-12 abs
//! expect results[320..384] = data[n] * 0.75 + data[63 - n] * 0.25 within 1e-13 abs
//! expect results[384..448] = fract(data[n])
//! expect results[448..512] = sqrt(data[n] * data[n] + data[63 - n] * data[63 - n]) within 1e-14 rel
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { double data[]; };
layout(binding = 1) writeonly buffer Results { double results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  double x = data[i], y = data[63 - i];
  results[i] = floor(x);
  results[64 + i] = roundEven(x);
  results[128 + i] = abs(x);
  results[192 + i] = clamp(x, -3.25lf, 7.5lf);
  results[256 + i] = fma(x, y, 1.5lf);
  results[320 + i] = mix(x, y, 0.25lf);
  results[384 + i] = fract(x);
  results[448 + i] = length(dvec2(x, y));
}
