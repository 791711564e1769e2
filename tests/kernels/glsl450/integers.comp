#version 450
// SAbs, SSign, SMin, UMax and so on for 16-, 32- and 64-bit integers.
//! require shaderInt16 shaderInt64
//! buffer data s64[64] binding 0 = random(-0x7fff, 0x7fff, 1)
//! buffer results s64[256] binding 1
//! dispatch 1
//! expect results[0..64] = abs(data[n]) + sign(data[n])
//! expect results[64..128] = min(data[n], data[63 - n]) * 1000000 + max(data[n], data[63 - n])
//! expect results[128..192] = clamp(data[n], -100, 100)
//! expect results[192..256] = abs(data[n]) - sign(data[n])
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { int64_t data[]; };
layout(binding = 1) writeonly buffer Results { int64_t results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  int64_t x = data[i], y = data[63 - i];
  int narrow = int(x);
  results[i] = abs(narrow) + sign(narrow);
  results[64 + i] = min(x, y) * 1000000 + max(x, y);
  results[128 + i] = clamp(int16_t(x), int16_t(-100), int16_t(100));
  results[192 + i] = abs(x) - sign(x);
}
