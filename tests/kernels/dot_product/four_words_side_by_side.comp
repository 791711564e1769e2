#version 450
// Sums of dot products of all four words that an invocation reads side by side in two buffers, in any order; of nibbles of
// theirs; and of three of them.
//! each SIZE = 8 | 32 | 64
//! require shaderIntegerDotProduct shaderInt8 storageBuffer8BitAccess
//! subgroup $(SIZE)
//! buffer a s8[1600] binding 0 = i % 40 < 8 ? -128 : i % 40 < 12 ? 127 : random(-128, 127, 1)
//! buffer b s8[1600] binding 1 = i % 80 < 4 ? -128 : i % 80 < 9 ? 127 : random(-128, 127, 2)
//! buffer sums s32[300] binding 2
//! dispatch 1
//! expect sums[0..100] = sum(k, 0, 16, a[16*n+k] * b[16*n+k])
//! expect sums[100..200] = sum(k, 0, 16, (a.u8[16*n+k] >> 4) * b[16*n+k])
//! expect sums[200..300] = sum(k, 0, 12, a[16*n+k] * b[16*n+k])
#extension GL_EXT_integer_dot_product : require
layout(local_size_x = 100) in;
layout(binding = 0) readonly buffer A { ivec4 as[]; };
layout(binding = 1) readonly buffer B { ivec4 bs[]; };
layout(binding = 2) writeonly buffer Sums { int sums[]; };

void main() {
  uint n = gl_LocalInvocationID.x;
  ivec4 a = as[n], b = bs[n];
  sums[n] = dotPacked4x8EXT(a.x, b.x) + dotPacked4x8EXT(a.w, b.w) +
            (dotPacked4x8EXT(a.z, b.z) + dotPacked4x8EXT(a.y, b.y));
  int high = 0;
  for (uint k = 0; k < 4; ++k) high += dotPacked4x8EXT((uint(a[k]) >> 4) & 0x0f0f0f0fu, b[k]);
  sums[100 + n] = high;
  sums[200 + n] =
      dotPacked4x8EXT(a.x, b.x) + dotPacked4x8EXT(a.y, b.y) + dotPacked4x8EXT(a.z, b.z);
}
