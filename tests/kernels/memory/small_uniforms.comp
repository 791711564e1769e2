#version 450
// 8- and 16-bit members of a uniform buffer.
//! require uniformAndStorageBuffer8BitAccess uniformAndStorageBuffer16BitAccess shaderInt8 shaderInt16 shaderFloat16
//! buffer data u8[64] uniform binding 0 = { s8 -5, pad 1, s16 -300, f16 1.5, f16 2.5, u8 200 }
//! buffer results f32[5] binding 1
//! dispatch 1
//! expect results = { -5, -300, 1.5, 2.5, 200 }
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 1) in;
layout(std140, binding = 0) uniform Data {
  int8_t byte;      // 0
  int16_t word;     // 2
  f16vec2 pair;     // 4
  uint8_t last;     // 8
};
layout(binding = 1) writeonly buffer Results { float results[]; };

void main() {
  results[0] = float(byte);
  results[1] = float(word);
  results[2] = float(pair.x);
  results[3] = float(pair.y);
  results[4] = float(last);
}
