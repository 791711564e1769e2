#version 450
// Expressions that widen from 8 to 64 bits and narrow again: each step at its own width.
//! require shaderInt8 shaderInt16 shaderInt64 storageBuffer8BitAccess
//! buffer a s8[128] binding 0 = random(-128, 127, 1)
//! buffer b s8[128] binding 1 = random(-128, 127, 2)
//! buffer results s64[384] binding 2
//! dispatch 2
//! expect results[0..128] = s8(a[n] + b[n]) * 1000000007 * a[n]
//! expect results[128..256] = s16(u8(a[n]) * u8(b[n]) * 3) - u8(a[n] ^ b[n])
//! expect results[256..384] = s32(s64(a[n]) << 30) + (b[n] >> 3)
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { int8_t a[]; };
layout(binding = 1) readonly buffer B { int8_t b[]; };
layout(binding = 2) writeonly buffer Results { int64_t results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  int8_t x = a[i], y = b[i];
  results[i] = int64_t(int8_t(x + y)) * 1000000007l * int64_t(x);
  results[128 + i] =
      int64_t(int16_t(uint16_t(uint8_t(x)) * uint16_t(uint8_t(y)) * uint16_t(3))) - int64_t(uint8_t(x ^ y));
  results[256 + i] = int64_t(int(int64_t(x) << 30)) + int64_t(y >> int8_t(3));
}
