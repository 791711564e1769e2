#version 450
// 8- and 16-bit integers to and from f16 and f32.
//! require shaderInt8 shaderInt16 shaderFloat16 storageBuffer8BitAccess storageBuffer16BitAccess
//! buffer bytes s8[64] binding 0 = random(-128, 127, 1)
//! buffer shorts s16[64] binding 1 = random(-2048, 2047, 2)
//! buffer floats f32[256] binding 2
//! buffer back s16[64] binding 3
//! dispatch 1
//! expect floats[0..64] = bytes[n]
//! expect floats[64..128] = bytes.u8[n]
//! expect floats[128..192] = shorts[n]
//! expect floats[192..256] = f16(shorts[n]) * 0.5
//! expect back = trunc(f16(shorts[i]) * 0.25)
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Bytes { int8_t bytes[]; };
layout(binding = 1) readonly buffer Shorts { int16_t shorts[]; };
layout(binding = 2) writeonly buffer Floats { float floats[]; };
layout(binding = 3) writeonly buffer Back { int16_t back[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  floats[i] = float(bytes[i]);
  floats[i + 64] = float(uint8_t(bytes[i]));
  floats[i + 128] = float(shorts[i]);
  float16_t h = float16_t(shorts[i]);
  floats[i + 192] = float(h * float16_t(0.5));
  back[i] = int16_t(h * float16_t(0.25));
}
