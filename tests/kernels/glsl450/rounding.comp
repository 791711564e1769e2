#version 450
// Round (half either way), RoundEven, Trunc, Floor, Ceil, Fract, FAbs, FSign.
//! buffer data f32[64] binding 0 = i < 8 ? (i - 4) / 2.0 + 0.0 : random(-100, 100, 1) / 7.0
//! buffer results f32[512] binding 1
//! dispatch 1
//! expect results[0..64] = round(data[n])
//! expect results[64..128] = trunc(data[n])
//! expect results[128..192] = floor(data[n])
//! expect results[192..256] = ceil(data[n])
//! expect results[256..320] = fract(data[n])
//! expect results[320..384] = abs(data[n])
//! expect results[384..448] = sign(data[n])
//! expect results[448..512] = data[n] - floor(data[n]) == 0.5 ? @results[i] : round(data[n])
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  float x = data[i];
  results[i] = roundEven(x);
  results[64 + i] = trunc(x);
  results[128 + i] = floor(x);
  results[192 + i] = ceil(x);
  results[256 + i] = fract(x);
  results[320 + i] = abs(x);
  results[384 + i] = sign(x);
  results[448 + i] = round(x);
}
