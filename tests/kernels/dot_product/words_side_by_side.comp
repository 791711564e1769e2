#version 450
// Sums of dot products of all the words that an invocation reads side by side in two buffers: two words, four, and
// four halves of words; with bytes of all signednesses, nibbles, and something else to add. Words that cross, and
// some of the words only, too.
//! each SIZE = 8 | 32 | 64
//! require shaderIntegerDotProduct shaderInt8 shaderInt16 storageBuffer8BitAccess storageBuffer16BitAccess
//! subgroup $(SIZE)
//! buffer a s8[1600] binding 0 = i % 40 < 8 ? -128 : i % 40 < 12 ? 127 : random(-128, 127, 1)
//! buffer b s8[1600] binding 1 = i % 80 < 4 ? -128 : i % 80 < 9 ? 127 : random(-128, 127, 2)
//! buffer c s32[100] binding 2 = random(-100000, 100000, 3)
//! buffer sums s32[1000] binding 3
//! dispatch 1
//! expect sums[0..100] = c[n] + sum(k, 0, 8, a[8*n+k] * b[8*n+k])
//! expect sums[100..200] = sum(k, 0, 16, a[16*n+k] * b[16*n+k])
//! expect sums[200..300] = sum(k, 0, 8, a.u8[8*n+k] * b.u8[8*n+k])
//! expect sums[300..400] = sum(k, 0, 8, a[8*n+k] * b.u8[8*n+k]) - c[n]
//! expect sums[400..500] = sum(k, 0, 8, (a.u8[8*n+k] & 15) * b[8*n+k])
//! expect sums[500..600] = sum(k, 0, 16, (a.u8[16*n+k] >> 4) * b[16*n+k])
//! expect sums[600..700] = sum(k, 0, 8, a[8*n+k] * b[8*n+(k+4)%8])
//! expect sums[700..800] = sum(k, 0, 12, a[16*n+k] * b[16*n+k])
//! expect sums[800..900] = sum(k, 0, 8, a[8*n+k] * b[8*n+k])
//! expect sums[900..1000] = sum(k, 0, 8, a[8*n+k] * (b[8*n+k] + b[8*n+(k+4)%8]))
#extension GL_EXT_integer_dot_product : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 100) in;
layout(binding = 0) readonly buffer A2 { ivec2 a2[]; };
layout(binding = 0) readonly buffer A4 { ivec4 a4[]; };
layout(binding = 0) readonly buffer Halves { int16_t halves[]; };
layout(binding = 1) readonly buffer B2 { ivec2 b2[]; };
layout(binding = 1) readonly buffer B4 { ivec4 b4[]; };
layout(binding = 2) readonly buffer C { int c[]; };
layout(binding = 3) writeonly buffer Sums { int sums[]; };

void main() {
  uint n = gl_LocalInvocationID.x;
  ivec2 a = a2[n], b = b2[n];
  uvec2 ua = uvec2(a), ub = uvec2(b);
  ivec4 x = a4[n], y = b4[n];
  sums[n] = c[n] + dotPacked4x8EXT(a.x, b.x) + dotPacked4x8EXT(a.y, b.y);
  sums[100 + n] = dotPacked4x8EXT(x.x, y.x) + dotPacked4x8EXT(x.w, y.w) +
                  (dotPacked4x8EXT(x.z, y.z) + dotPacked4x8EXT(x.y, y.y));
  sums[200 + n] = int(dotPacked4x8EXT(ua.y, ub.y) + dotPacked4x8EXT(ua.x, ub.x));
  sums[300 + n] = dotPacked4x8EXT(a.x, ub.x) + dotPacked4x8EXT(a.y, ub.y) - c[n];
  sums[400 + n] = dotPacked4x8EXT(b.x, ua.x & 0x0f0f0f0fu) + dotPacked4x8EXT(b.y, ua.y & 0x0f0f0f0fu);
  int high = 0;
  for (uint k = 0; k < 4; ++k) high += dotPacked4x8EXT((uint(x[k]) >> 4) & 0x0f0f0f0fu, y[k]);
  sums[500 + n] = high;
  sums[600 + n] = dotPacked4x8EXT(a.x, b.y) + dotPacked4x8EXT(a.y, b.x);
  sums[700 + n] =
      dotPacked4x8EXT(x.x, y.x) + dotPacked4x8EXT(x.y, y.y) + dotPacked4x8EXT(x.z, y.z);
  int low = pack32(i16vec2(halves[4 * n], halves[4 * n + 1]));
  int upper = pack32(i16vec2(halves[4 * n + 2], halves[4 * n + 3]));
  sums[800 + n] = dotPacked4x8EXT(low, b.x) + dotPacked4x8EXT(upper, b.y);
  sums[900 + n] = dotPacked4x8EXT(a.x, b.x) + dotPacked4x8EXT(a.y, b.y) +
                  (dotPacked4x8EXT(a.x, b.y) + dotPacked4x8EXT(a.y, b.x));
}
