#version 450
// Structures assigned from one layout to another: std140 to std430 to scalar, with arrays, row-major
// and column-major matrices and members of 8 to 64 bits.
//! require scalarBlockLayout shaderInt8 storageBuffer8BitAccess shaderInt16 shaderInt64
//! require storageBuffer16BitAccess shaderFloat64
//! buffer from u8[512] binding 0 = i % 251
//! buffer middle u8[512] binding 1
//! buffer back u8[512] binding 2
//! dispatch 1
//! expect middle[0..4] = from[i]
//! expect middle[4..8] = from[16 + i - 4]
//! expect middle[8..12] = from[32 + i - 8]
//! expect middle[16..28] = from[48 + i - 16]
//! expect middle[32..44] = from[64 + i - 32]
//! expect middle[48] = from[80]
//! expect middle.u16[25] = from.u16[41]
//! expect middle.u64[7] = from.u64[11]
//! expect back[0..12] = from[i / 4 * 16 + i % 4]
//! expect back.u16[19] = from.u16[41]
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
struct Part {
  uint values[3];
  mat2x3 matrix;
  uint8_t byte;
  uint16_t half_word;
  uint64_t word;
};
layout(binding = 0, std140) readonly buffer From { Part from; };
layout(binding = 1, std430) buffer Middle { Part middle; };
layout(binding = 2, scalar) writeonly buffer Back { Part back; };

void main() {
  middle = from;
  Part copy = middle;
  back = copy;
}
