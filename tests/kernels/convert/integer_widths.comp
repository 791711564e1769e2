#version 450
// OpSConvert and OpUConvert: extending keeps or clears the sign, narrowing wraps.
//! require shaderInt8 shaderInt16 shaderInt64
//! buffer data s64[64] binding 0 = random(-0x8000000000000000, 0x7fffffffffffffff, 1)
//! buffer results s64[448] binding 1
//! dispatch 1
//! expect results[0..64] = s8(data[n])
//! expect results[64..128] = u8(data[n])
//! expect results[128..192] = s16(data[n])
//! expect results[192..256] = u16(data[n])
//! expect results[256..320] = s32(data[n])
//! expect results[320..384] = u32(data[n])
//! expect results[384..448] = s16(s8(data[n]))
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { int64_t data[]; };
layout(binding = 1) writeonly buffer Results { int64_t results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  int64_t x = data[i];
  results[i] = int64_t(int8_t(x));
  results[i + 64] = int64_t(uint8_t(x));
  results[i + 128] = int64_t(int16_t(x));
  results[i + 192] = int64_t(uint16_t(x));
  results[i + 256] = int64_t(int32_t(x));
  results[i + 320] = int64_t(uint32_t(x));
  results[i + 384] = int64_t(int16_t(int8_t(x)));
}
