#version 450
// CRC-32 of "123456789" and of its beginnings: shifts, exclusive ors and bytes. The check value
// of the whole is cbf43926.
//! require shaderInt8 storageBuffer8BitAccess
//! buffer text u8[12] binding 0 = { 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0, 0, 0 }
//! buffer results u32[10] binding 1
//! dispatch 1
//! expect results = { 0, 0x83dcefb7, 0x4f5344cd, 0x884863d2, 0x9be3e0a3, 0xcbf53a1c, 0x0972d361, 0x5003699f, 0x9ae0daaf, 0xcbf43926 }
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 10) in;
layout(binding = 0) readonly buffer Text { uint8_t text[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint length = gl_GlobalInvocationID.x, crc = ~0u;
  for (uint k = 0; k < length; ++k) {
    crc ^= uint(text[k]);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (0xedb88320u & -(crc & 1));
  }
  results[length] = ~crc;
}
