// SPDX-License-Identifier: Apache-2.0

// PTX's ldmatrix for GLSL: every form of the PTX ISA's section "Warp-level matrix load instruction:
// ldmatrix", from shared memory, with the address of each row from an invocation of its own.
//
// Before it is included the shader says how a 32-bit word of its shared memory is read:
//
//     #extension GL_KHR_shader_subgroup_basic : require
//     #extension GL_KHR_shader_subgroup_shuffle : require
//     #extension GL_GOOGLE_include_directive : require
//     shared uint tile[1024];
//     #define LDMATRIX_SHARED(word) tile[word]
//     #include "ldmatrix.glsl"
//
//     uvec4 r = ldmatrix_m8n8_x4_b16(address);  // ldmatrix.sync.aligned.m8n8.x4.shared.b16 r, [address];
//
// Addresses are in bytes from word 0, multiples of 16: where a row begins, 16 bytes with its padding.
// As in PTX those of the first matrix's rows are the ones that invocations 0 to 7 of the subgroup give
// (0 to 15 where matrices have 16 rows), the next matrix's come from the next ones, and what the others
// give does not matter. Results are registers: component n is r_n of this invocation. All invocations
// of a subgroup of 32 take part, in uniform control flow; what others have written is visible after a
// barrier(), as for any load.
//
// |                                                | .x1   | .x2   | .x4   |
// |------------------------------------------------|-------|-------|-------|
// | ldmatrix_m8n8_xN_b16                           | uint  | uvec2 | uvec4 |
// | ldmatrix_m8n8_xN_trans_b16                     | uint  | uvec2 | uvec4 |
// | ldmatrix_m8n16_xN_b8x16_b6x16_p32              | uint  | uvec2 | uvec4 |
// | ldmatrix_m8n16_xN_b8x16_b4x16_p64              | uint  | uvec2 | uvec4 |
// | ldmatrix_m16n16_xN_trans_b8                    | uvec2 | uvec4 |       |
// | ldmatrix_m16n16_xN_trans_b8x16_b6x16_p32       | uvec2 | uvec4 |       |
// | ldmatrix_m16n16_xN_trans_b8x16_b4x16_p64       | uvec2 | uvec4 |       |
#ifndef LDMATRIX_GLSL
#define LDMATRIX_GLSL

// Of 8 rows, the first of which invocation `first` has the address of: word t % 4 of row t / 4, where
// t is this invocation.
uint ldmatrix_words(uint address, uint first) {
  const uint t = gl_SubgroupInvocationID;
  return LDMATRIX_SHARED(subgroupShuffle(address, first + t / 4) / 4 + t % 4);
}

// Elements 4 * (t % 4) to 4 * (t % 4) + 3 of row t / 4, a byte each, the first of them lowest; `words`
// is as ldmatrix_words() gives it. Elements of 6 or 4 bits follow each other without gaps, the first
// in the lowest bits, and take the lowest bits of their bytes.
uint ldmatrix_b8(uint words) { return words; }

uint ldmatrix_b6(uint words) {
  const uint t = gl_SubgroupInvocationID, bit = t % 4 * 24;
  const uint low = subgroupShuffle(words, t / 4 * 4 + bit / 32),
             high = subgroupShuffle(words, t / 4 * 4 + bit / 32 + 1);
  const uint bits = low >> bit % 32 | high << 1 << (31 - bit % 32);
  return bits & 0x3f | bits << 2 & 0x3f00 | bits << 4 & 0x3f0000 | bits << 6 & 0x3f000000;
}

uint ldmatrix_b4(uint words) {
  const uint t = gl_SubgroupInvocationID;
  const uint bits = subgroupShuffle(words, t / 4 * 4 + t % 4 / 2) >> t % 2 * 16 & 0xffff;
  const uint pairs = bits & 0xff | bits << 8 & 0xff0000;
  return pairs & 0xf000f | pairs << 4 & 0xf000f00;
}

// From elements 2 * (t % 4) and the next of row t / 4 of an 8x8 matrix of 16 bits to those of its
// transpose.
uint ldmatrix_transposed_b16(uint pair) {
  const uint t = gl_SubgroupInvocationID, source = t % 4 * 8 + t / 8, bit = t / 4 % 2 * 16;
  const uint low = subgroupShuffle(pair, source) >> bit & 0xffff,
             high = subgroupShuffle(pair, source + 4) >> bit;
  return low | high << 16;
}

// From elements 4 * (t % 4) to 4 * (t % 4) + 3 of rows t / 4 (x) and t / 4 + 8 (y) of a 16x16 matrix
// of bytes to those of its transpose.
uvec2 ldmatrix_transposed_b8(uvec2 fours) {
  const uint t = gl_SubgroupInvocationID, bit = t / 4 % 4 * 8;
  uvec2 result = uvec2(0);
  for (uint k = 0; k < 4; ++k) {
    // Byte t / 4, then t / 4 + 8, of row 4 * (t % 4) + k.
    const uint source = (t % 2 * 4 + k) * 4 + t / 16;
    const uvec2 upper = uvec2(subgroupShuffle(fours.x, source), subgroupShuffle(fours.x, source + 2)),
                lower = uvec2(subgroupShuffle(fours.y, source), subgroupShuffle(fours.y, source + 2));
    result |= ((t % 4 < 2 ? upper : lower) >> bit & 0xff) << 8 * k;
  }
  return result;
}

// The forms. X1 is what loads one matrix, the first of whose rows invocation `first` has the address of.
#define LDMATRIX_OF_8_ROWS(num, rest, X1)                                                              \
  uint ldmatrix_##num##_x1_##rest(uint address) { return X1(address, 0); }                             \
  uvec2 ldmatrix_##num##_x2_##rest(uint address) { return uvec2(X1(address, 0), X1(address, 8)); }     \
  uvec4 ldmatrix_##num##_x4_##rest(uint address) {                                                     \
    return uvec4(X1(address, 0), X1(address, 8), X1(address, 16), X1(address, 24));                    \
  }
#define LDMATRIX_OF_16_ROWS(rest, X1)                                                                  \
  uvec2 ldmatrix_m16n16_x1_trans_##rest(uint address) { return X1(address, 0); }                       \
  uvec4 ldmatrix_m16n16_x2_trans_##rest(uint address) { return uvec4(X1(address, 0), X1(address, 16)); }

#define LDMATRIX_TRANSPOSED_B16(address, first) ldmatrix_transposed_b16(ldmatrix_words(address, first))
#define LDMATRIX_B6(address, first) ldmatrix_b6(ldmatrix_words(address, first))
#define LDMATRIX_B4(address, first) ldmatrix_b4(ldmatrix_words(address, first))
#define LDMATRIX_TRANSPOSED(decode, address, first)                         \
  ldmatrix_transposed_b8(uvec2(decode(ldmatrix_words(address, first)),      \
                               decode(ldmatrix_words(address, first + 8))))
#define LDMATRIX_TRANSPOSED_B8(address, first) LDMATRIX_TRANSPOSED(ldmatrix_b8, address, first)
#define LDMATRIX_TRANSPOSED_B6(address, first) LDMATRIX_TRANSPOSED(ldmatrix_b6, address, first)
#define LDMATRIX_TRANSPOSED_B4(address, first) LDMATRIX_TRANSPOSED(ldmatrix_b4, address, first)

LDMATRIX_OF_8_ROWS(m8n8, b16, ldmatrix_words)
LDMATRIX_OF_8_ROWS(m8n8, trans_b16, LDMATRIX_TRANSPOSED_B16)
LDMATRIX_OF_8_ROWS(m8n16, b8x16_b6x16_p32, LDMATRIX_B6)
LDMATRIX_OF_8_ROWS(m8n16, b8x16_b4x16_p64, LDMATRIX_B4)
LDMATRIX_OF_16_ROWS(b8, LDMATRIX_TRANSPOSED_B8)
LDMATRIX_OF_16_ROWS(b8x16_b6x16_p32, LDMATRIX_TRANSPOSED_B6)
LDMATRIX_OF_16_ROWS(b8x16_b4x16_p64, LDMATRIX_TRANSPOSED_B4)

#endif
