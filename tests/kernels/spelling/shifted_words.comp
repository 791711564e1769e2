#version 450
#extension GL_EXT_integer_dot_product : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
// Products of rows of blocks of 256 numbers of 4 bits with a vector of bytes. Of each 64 numbers the first half has the
// lower bits of bytes, the second the upper ones, so pairs of invocations read the same words and shift them otherwise.
// A scale for each 32 is a byte of one of two words. Where a row begins at a multiple of a block, which is a number
// that the host gives, what an invocation takes of a block follows from its own number.
//! require shaderIntegerDotProduct shaderInt8
//! each INT = uint | int
//! each NUMBERS = 1536 | pushed
//! each PLACE = shifts | quotients
//! remarks "gather" 0 "scatter" 0 except "reference" "robust access" "checked shapes"
//! buffer a u8[4 * 6 * 136] binding 0 = i % 136 < 8 ? i % 5 + 1 : i % 251
//! buffer x s8[1536] binding 1 = i % 7 - 3
//! buffer y f32[4] binding 2
//! push u32 1536
//! subgroup 32
//! dispatch 4
//! expect y = sum(k, 0, 1536, (((i * 6 + k / 256) * 136 + k % 256 / 32) % 5 + 1) * (k % 64 < 32 ? ((i * 6 + k / 256) * 136 + 8 + k % 256 / 64 * 32 + k % 32) % 251 % 16 : ((i * 6 + k / 256) * 136 + 8 + k % 256 / 64 * 32 + k % 32) % 251 / 16) * (k % 7 - 3))
layout(local_size_x = 32) in;
struct Block {
  uint scales[2];
  uint words[32];
};
layout(binding = 0) readonly buffer A { Block a[]; };
layout(binding = 1) readonly buffer X { uvec4 x[]; };
layout(binding = 2) writeonly buffer Y { float y[]; };
layout(push_constant) uniform Push { uint pushed; };
shared float parts[32];

#define shifts(n, by) ((n) >> by)
#define quotients(n, by) ((n) / (1 << by))
#define BYTES(k) dotPacked4x8EXT(int(a[block].words[first + k] >> shift & 0x0f0f0f0fu), int(x[PLACE(at, 4)][k]))

void main() {
  const INT lane = INT(gl_LocalInvocationIndex), row = INT(gl_WorkGroupID.x) * INT(NUMBERS);
  float sum = 0;
  for (INT at = lane * 16; at < INT(NUMBERS); at += 512) {
    const INT n = row + at, block = PLACE(n, 8);
    const INT first = PLACE(n, 6) % 4 * 8 + PLACE(n, 4) % 2 * 4, shift = PLACE(n, 5) % 2 * 4;
    const uint scale = a[block].scales[PLACE(n, 7) % 2] >> PLACE(n, 5) % 4 * 8 & 255;
    sum += float(BYTES(0) + BYTES(1) + BYTES(2) + BYTES(3)) * float(scale);
  }
  parts[lane] = sum;
  barrier();
  for (uint step = 16; step > 0; step /= 2) {
    if (uint(lane) < step) parts[lane] += parts[lane + INT(step)];
    barrier();
  }
  if (lane == 0) y[gl_WorkGroupID.x] = parts[0];
}
