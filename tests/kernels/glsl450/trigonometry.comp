#version 450
// Sin, Cos, Tan and their inverses; the specification's absolute bound for f32 is 2^-11, ours is
// tighter.
//! buffer data f32[64] binding 0 = random(-3.14159, 3.14159, 1)
//! buffer unit f32[64] binding 1 = random(-0.99, 0.99, 2)
//! buffer results f32[512] binding 2
//! dispatch 1
//! expect results[0..64] = sin(data[n]) within 1e-6 abs
//! expect results[64..128] = cos(data[n]) within 1e-6 abs
//! expect results[128..192] = tan(unit[n]) within 4e-6 rel
//! expect results[192..256] = asin(unit[n]) within 4096 ulp or 5e-4 abs
//! expect results[256..320] = acos(unit[n]) within 4096 ulp or 5e-4 abs
//! expect results[320..384] = atan(data[n]) within 4096 ulp
//! expect results[384..448] = atan2(data[n], unit[n]) within 4096 ulp
//! expect results[448..512] = sin(data[n] * 100) within 2e-5 abs
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) readonly buffer Unit { float unit[]; };
layout(binding = 2) writeonly buffer Results { float results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  results[i] = sin(data[i]);
  results[64 + i] = cos(data[i]);
  results[128 + i] = tan(unit[i]);
  results[192 + i] = asin(unit[i]);
  results[256 + i] = acos(unit[i]);
  results[320 + i] = atan(data[i]);
  results[384 + i] = atan(data[i], unit[i]);
  results[448 + i] = sin(data[i] * 100);
}
