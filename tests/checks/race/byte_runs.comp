#version 450
// Each invocation fills three bytes of a packed buffer. Neighbours share words, which is no race;
// with four bytes each they share a byte, which is one.
//! debug
//! each BUG RUN = 1 4 | 0 3
//! setting check race
//! require shaderInt8 storageBuffer8BitAccess
//! buffer bytes u8[200] binding 0 = 200
//! dispatch 1
//! finding race device-memory times $(BUG)
//! expect bytes = $(BUG) ? @bytes[i] : i < 192 ? i / 3 : 200
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer Bytes { uint8_t bytes[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  for (uint k = 0; k < RUN; ++k) {
    bytes[3 * i + k] = uint8_t(i);  // finding
  }
}
