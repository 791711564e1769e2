#version 450
// 8- and 16-bit elements next to each other: a store leaves its neighbours alone.
//! require shaderInt8 shaderInt16 shaderFloat16 storageBuffer8BitAccess storageBuffer16BitAccess
//! buffer bytes u8[128] binding 0 = i
//! buffer words u16[128] binding 1 = i
//! buffer halves f16[128] binding 2 = i
//! dispatch 1
//! expect bytes = i % 2 == 0 ? i : 255 - i
//! expect words = i % 4 == 1 ? 60000 + i : i
//! expect halves = i % 3 == 0 && i < 126 ? i + 0.5 : i
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer Bytes { uint8_t bytes[]; };
layout(binding = 1) buffer Words { uint16_t words[]; };
layout(binding = 2) buffer Halves { float16_t halves[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  bytes[2 * i + 1] = uint8_t(255) - bytes[2 * i + 1];
  if (i % 2 == 0) words[2 * i + 1] = uint16_t(60000 + 2 * i + 1);
  if (i < 42) halves[3 * i] += float16_t(0.5);
}
