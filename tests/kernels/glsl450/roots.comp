#version 450
// Sqrt and InverseSqrt in f32 and f64.
//! require shaderFloat64
//! buffer data f64[64] binding 0 = f32(random(0.0, 1000.0, 1))
//! buffer results f64[256] binding 1
//! dispatch 1
//! expect results[0..64] = sqrt(data[n]) within 3e-7 rel
//! expect results[64..128] = inversesqrt(data[n]) within 3e-7 rel
//! expect results[128..192] = sqrt(data[n]) within 1e-15 rel
//! expect results[192..256] = inversesqrt(data[n]) within 1e-15 rel
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { double data[]; };
layout(binding = 1) writeonly buffer Results { double results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  results[i] = sqrt(float(data[i]));
  results[64 + i] = inversesqrt(float(data[i]));
  results[128 + i] = sqrt(data[i]);
  results[192 + i] = inversesqrt(data[i]);
}
