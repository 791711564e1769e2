#version 450
// Hamming distances of 256-bit codes to one.
//! each SPELLING INT FORM GROUPS = bitcount uint 0 512 | int int 0 512 | while uint 1 512
//!+ | unrolled uint 2 512 | halving uint 3 512
//! buffer codes u32[8 << 17] binding 0 = random(0, 4294967295, 1)
//! buffer distances u32[1 << 17] binding 1
//! push u32 1 << 17
//! dispatch $(GROUPS)
//! peer
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer Codes { uint codes[]; };
layout(binding = 1) writeonly buffer Distances { uint distances[]; };
layout(push_constant) uniform Push { uint count; };

uint ones(uint bits) {
#if FORM == 3
  bits -= bits >> 1 & 0x55555555u;
  bits = (bits & 0x33333333u) + (bits >> 2 & 0x33333333u);
  return (bits + (bits >> 4) & 0x0f0f0f0fu) * 0x01010101u >> 24;
#else
  return bitCount(bits);
#endif
}

// The words of a code lie `count` apart.
void main() {
  const INT i = INT(gl_GlobalInvocationID.x), n = INT(count);
  uint distance = 0;
#if FORM == 1
  INT word = 0;
  while (word < 8) {
    distance += ones(codes[word * n + i] ^ codes[word * n]);
    ++word;
  }
#elif FORM == 2
  distance = ones(codes[i] ^ codes[0]) + ones(codes[n + i] ^ codes[n]) +
             ones(codes[2 * n + i] ^ codes[2 * n]) + ones(codes[3 * n + i] ^ codes[3 * n]) +
             ones(codes[4 * n + i] ^ codes[4 * n]) + ones(codes[5 * n + i] ^ codes[5 * n]) +
             ones(codes[6 * n + i] ^ codes[6 * n]) + ones(codes[7 * n + i] ^ codes[7 * n]);
#else
  for (INT word = 0; word < 8; ++word) distance += ones(codes[word * n + i] ^ codes[word * n]);
#endif
  distances[i] = distance;
}
