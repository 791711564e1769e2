#version 450
// The common functions on f16 and its vectors.
//! require shaderFloat16 storageBuffer16BitAccess
//! buffer data f16[128] binding 0 = random(-30.0, 30.0, 1)
//! buffer results f16[512] binding 1
//! dispatch 1
//! expect results[0..64] = floor(data[2 * n])
//! expect results[64..128] = abs(data[2 * n + 1])
//! expect results[128..192] = min(data[2 * n], data[2 * n + 1])
//! expect results[192..256] = clamp(data[2 * n], -3, 5)
//! expect results[256..320] = sqrt(abs(data[2 * n])) within 2 ulp
//! expect results[320..384] = exp2(data[2 * n] / 4) within 12 ulp
//! expect results[384..448] = fma(data[2 * n], 0.5, data[2 * n + 1]) within 1 ulp or 0.02 abs
//! expect results[448..512] = data[2 * n] * data[2 * n] + data[2 * n + 1] * data[2 * n + 1] within 3 ulp
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { f16vec2 data[]; };
layout(binding = 1) writeonly buffer Results { float16_t results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  f16vec2 v = data[i];
  results[i] = floor(v).x;
  results[64 + i] = abs(v).y;
  results[128 + i] = min(v.x, v.y);
  results[192 + i] = clamp(v.x, float16_t(-3), float16_t(5));
  results[256 + i] = sqrt(abs(v.x));
  results[320 + i] = exp2(v.x / float16_t(4));
  results[384 + i] = fma(v.x, float16_t(0.5), v.y);
  results[448 + i] = dot(v, v);
}
