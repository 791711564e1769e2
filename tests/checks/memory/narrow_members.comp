#version 450
// Members of 8 and 16 bits behind the end of a buffer whose size is no multiple of four.
//! debug
//! each BUG = 1 | 0
//! require storageBuffer8BitAccess storageBuffer16BitAccess shaderInt8 shaderInt16
//! setting check memory
//! buffer bytes u8[33] binding 0 = 200 - i
//! buffer halves u16[33] binding 1 = 1000 + i
//! buffer results u32[33] binding 2
//! dispatch 1
//! finding memory buffer-bounds times $(BUG) "load of 1 byte"
//! finding memory buffer-bounds times $(BUG) "store of 2 bytes"
//! expect results = i == 32 && $(BUG) ? 0 : 200 - i
//! expect halves = i < 32 ? i : $(BUG) ? 1032 : 7
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Bytes { uint8_t bytes[]; };
layout(binding = 1) writeonly buffer Halves { uint16_t halves[]; };
layout(binding = 2) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  results[i] = uint(bytes[i]);
  halves[i] = uint16_t(i);
  if (i == 31) {
    uint last = uint(bytes[i + 1 + BUG]);  // finding
    results[32] = last;
    halves[i + 1 + BUG] = uint16_t(7);  // finding
  }
}
