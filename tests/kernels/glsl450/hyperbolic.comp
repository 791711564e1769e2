#version 450
// Sinh, Cosh, Tanh and their inverses.
//! buffer data f32[64] binding 0 = random(-4.0, 4.0, 1)
//! buffer results f32[384] binding 1
//! dispatch 1
//! expect results[0..64] = sinh(data[n]) within 1e-5 rel or 1e-6 abs
//! expect results[64..128] = cosh(data[n]) within 1e-5 rel
//! expect results[128..192] = tanh(data[n]) within 1e-5 rel or 1e-6 abs
//! expect results[192..256] = asinh(data[n]) within 1e-5 rel or 1e-6 abs
//! expect results[256..320] = acosh(abs(data[n]) + 1.5) within 1e-5 rel
//! expect results[320..384] = atanh(data[n] / 5) within 1e-5 rel or 1e-6 abs
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  float x = data[i];
  results[i] = sinh(x);
  results[64 + i] = cosh(x);
  results[128 + i] = tanh(x);
  results[192 + i] = asinh(x);
  results[256 + i] = acosh(abs(x) + 1.5);
  results[320 + i] = atanh(x / 5);
}
