#version 450
// Sums of dot products of both words that an invocation reads side by side in two buffers: with bytes of all signednesses,
// nibbles, and something else to add. Words that cross, too.
//! each SIZE = 8 | 32 | 64
//! require shaderIntegerDotProduct shaderInt8 storageBuffer8BitAccess
//! subgroup $(SIZE)
//! buffer a s8[800] binding 0 = i % 40 < 8 ? -128 : i % 40 < 12 ? 127 : random(-128, 127, 1)
//! buffer b s8[800] binding 1 = i % 80 < 4 ? -128 : i % 80 < 9 ? 127 : random(-128, 127, 2)
//! buffer c s32[100] binding 2 = random(-100000, 100000, 3)
//! buffer sums s32[500] binding 3
//! dispatch 1
//! expect sums[0..100] = c[n] + sum(k, 0, 8, a[8*n+k] * b[8*n+k])
//! expect sums[100..200] = sum(k, 0, 8, a.u8[8*n+k] * b.u8[8*n+k])
//! expect sums[200..300] = sum(k, 0, 8, a[8*n+k] * b.u8[8*n+k]) - c[n]
//! expect sums[300..400] = sum(k, 0, 8, (a.u8[8*n+k] & 15) * b[8*n+k])
//! expect sums[400..500] = sum(k, 0, 8, a[8*n+k] * (b[8*n+k] + b[8*n+(k+4)%8]))
#extension GL_EXT_integer_dot_product : require
layout(local_size_x = 100) in;
layout(binding = 0) readonly buffer A { ivec2 as[]; };
layout(binding = 1) readonly buffer B { ivec2 bs[]; };
layout(binding = 2) readonly buffer C { int c[]; };
layout(binding = 3) writeonly buffer Sums { int sums[]; };

void main() {
  uint n = gl_LocalInvocationID.x;
  ivec2 a = as[n], b = bs[n];
  uvec2 ua = uvec2(a), ub = uvec2(b), low = ua & 0x0f0f0f0fu;
  sums[n] = c[n] + dotPacked4x8EXT(a.x, b.x) + dotPacked4x8EXT(a.y, b.y);
  sums[100 + n] = int(dotPacked4x8EXT(ua.y, ub.y) + dotPacked4x8EXT(ua.x, ub.x));
  sums[200 + n] = dotPacked4x8EXT(a.x, ub.x) + dotPacked4x8EXT(a.y, ub.y) - c[n];
  sums[300 + n] = dotPacked4x8EXT(b.x, low.x) + dotPacked4x8EXT(b.y, low.y);
  sums[400 + n] = dotPacked4x8EXT(a.x, b.x) + dotPacked4x8EXT(a.y, b.y) +
                  (dotPacked4x8EXT(a.x, b.y) + dotPacked4x8EXT(a.y, b.x));
}
