#version 450
// Length, Distance, Normalize, Cross, Reflect, Refract, FaceForward.
//! buffer data f32[256] binding 0 = random(-2.0, 2.0, 1)
//! buffer results f32[448] binding 1
//! dispatch 1
//! expect results[0..64] = sqrt(sum(k, 0, 4, data[4 * n + k] * data[4 * n + k])) within 1e-6 rel
//! expect results[64..128] = sqrt(sum(k, 0, 4, (data[4 * n + k] - data[4 * (63 - n) + k]) * (data[4 * n + k] - data[4 * (63 - n) + k]))) within 1e-6 rel
//! expect results[128..192] = data[4 * n + 1] / sqrt(sum(k, 0, 3, data[4 * n + k] * data[4 * n + k])) within 2e-6 abs
//! expect results[192..256] = data[4 * n] * data[4 * (63 - n) + 1] - data[4 * n + 1] * data[4 * (63 - n)] within 2e-6 abs
//! expect results[256..320] = data[4 * n] - 2 * data[4 * n + 1] * 0 - 2 * data[4 * n] within 2e-6 abs
//! expect results[320..384] = data[4 * n] < 0 ? data[4 * n + 3] : -data[4 * n + 3]
//! expect results[384..448] = 0.5 * data[4 * n] / data[4 * n] * 0 - 0.5 * 0 + sqrt(0.75) * -1 within 2e-6 abs
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { vec4 data[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  vec4 v = data[i], w = data[63 - i];
  results[i] = length(v);
  results[64 + i] = distance(v, w);
  results[128 + i] = normalize(v.xyz).y;
  results[192 + i] = cross(v.xyz, w.xyz).z;
  results[256 + i] = reflect(v.xy, vec2(1, 0)).x;
  results[320 + i] = faceforward(v.w, v.x, 1.0);
  // sin 30 degrees * eta 1 leaves at 30 degrees: the second component is -cos 30.
  results[384 + i] = refract(vec2(0.5, -sqrt(0.75)), vec2(0, 1), 1.0).y;
}
