#version 450
// Sums of dot products of words that are read by halves, as those of blocks are whose size is no multiple of four bytes.
//! each SIZE = 8 | 32
//! require shaderIntegerDotProduct shaderInt8 shaderInt16 storageBuffer8BitAccess storageBuffer16BitAccess
//! subgroup $(SIZE)
//! buffer a s8[800] binding 0 = i % 40 < 8 ? -128 : i % 40 < 12 ? 127 : random(-128, 127, 1)
//! buffer b s8[800] binding 1 = i % 80 < 4 ? -128 : i % 80 < 9 ? 127 : random(-128, 127, 2)
//! buffer sums s32[100] binding 2
//! dispatch 1
//! expect sums = sum(k, 0, 8, a[8*n+k] * b[8*n+k])
#extension GL_EXT_integer_dot_product : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 100) in;
layout(binding = 0) readonly buffer A { int16_t halves[]; };
layout(binding = 1) readonly buffer B { ivec2 bs[]; };
layout(binding = 2) writeonly buffer Sums { int sums[]; };

void main() {
  uint n = gl_LocalInvocationID.x;
  int first = pack32(i16vec2(halves[4 * n], halves[4 * n + 1]));
  int second = pack32(i16vec2(halves[4 * n + 2], halves[4 * n + 3]));
  sums[n] = dotPacked4x8EXT(first, bs[n].x) + dotPacked4x8EXT(second, bs[n].y);
}
