#version 450
// FMix, Step, SmoothStep, and mix with booleans.
//! buffer data f32[192] binding 0 = random(-1.0, 2.0, 1)
//! buffer results f32[256] binding 1
//! dispatch 1
//! expect results[0..64] = data[n] * (1 - data[n + 64]) + data[n + 128] * data[n + 64] within 2e-6 abs
//! expect results[64..128] = data[n] < 0.5 ? 0 : 1
//! expect results[128..192] = clamp(data[n], 0.0, 1.0) * clamp(data[n], 0.0, 1.0) * (3 - 2 * clamp(data[n], 0.0, 1.0)) within 1e-6 abs
//! expect results[192..256] = data[n] > 0 ? data[n + 64] : data[n + 128]
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  float x = data[i], y = data[i + 64], z = data[i + 128];
  results[i] = mix(x, z, y);
  results[64 + i] = step(0.5, x);
  results[128 + i] = smoothstep(0.0, 1.0, x);
  results[192 + i] = mix(z, y, x > 0);
}
