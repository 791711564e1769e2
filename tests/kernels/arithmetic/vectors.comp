#version 450
// Swizzles, shuffles, dynamic component access, vector times scalar, dot.
//! buffer data f32[256] binding 0 = random(-8, 8, 1)
//! buffer results f32[512] binding 1
//! dispatch 1
//! expect results[0..256 step 4] = data[4 * n + 3] + data[4 * n]
//! expect results[1..256 step 4] = data[4 * n + 2] + 2 * data[4 * n + 1]
//! expect results[2..256 step 4] = data[4 * n + 1] + 3 * data[4 * n + 2]
//! expect results[3..256 step 4] = data[4 * n] + 4 * data[4 * n + 3]
//! expect results[256..320] = data[4 * n + n % 4]
//! expect results[320..384] = sum(k, 0, 4, data[4 * n + k] * data[4 * (63 - n) + k])
//! expect results[384..448] = n % 4 == 2 ? 42 : data[4 * n + 2]
//! expect results[448..512] = data[4 * n + 1] * 2.5
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { vec4 data[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  vec4 v = data[i];
  vec4 sum = v.wzyx + v * vec4(1, 2, 3, 4);
  for (int k = 0; k < 4; ++k) results[4 * i + k] = sum[k];
  results[256 + i] = v[i % 4];
  results[320 + i] = dot(v, data[63 - i]);
  v[i % 4] = 42;
  results[384 + i] = i % 4 == 2 ? v.z : data[i].z;
  results[448 + i] = (data[i] * 2.5).y;
}
