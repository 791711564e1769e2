#version 450
// Fma, Ldexp, FrexpStruct, ModfStruct, mod.
//! buffer data f32[64] binding 0 = random(-100.0, 100.0, 1)
//! buffer results f32[448] binding 1
//! dispatch 1
//! expect results[0..64] = data[n] * 3.5 + data[63 - n] within 1 ulp or 1e-5 abs
//! expect results[64..128] = ldexp(data[n], n % 20 - 10)
//! expect results[128..192] = ldexp(@results[i], @results[i + 64]) == data[n] && abs(@results[i]) >= 0.5 && abs(@results[i]) < 1 ? @results[i] : nan
//! expect results[192..256] = floor(log2(abs(data[n]))) + 1
//! expect results[256..320] = data[n] - trunc(data[n])
//! expect results[320..384] = trunc(data[n])
//! expect results[384..448] = mod(data[n], 7) within 2e-5 abs
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  float x = data[i];
  results[i] = fma(x, 3.5, data[63 - i]);
  results[64 + i] = ldexp(x, int(i % 20) - 10);
  int exponent;
  results[128 + i] = frexp(x, exponent);
  results[192 + i] = exponent;
  float whole;
  results[256 + i] = modf(x, whole);
  results[320 + i] = whole;
  results[384 + i] = mod(x, 7.0);
}
