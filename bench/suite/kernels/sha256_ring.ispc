// SPDX-License-Identifier: Apache-2.0

static inline unsigned int turn(unsigned int x, uniform int n) { return x >> n | x << (32 - n); }

export void sha256_ring(const uniform unsigned int32 push[], const uniform unsigned int32 words[],
                        const uniform unsigned int32 constants[], uniform unsigned int32 digests[]) {
  const uniform int n = push[0];
  foreach (me = 0 ... n) {
    unsigned int w[16];
    for (uniform int t = 0; t < 16; ++t) w[t] = words[t * n + me];
    unsigned int a = 0x6a09e667, b = 0xbb67ae85, c = 0x3c6ef372, d = 0xa54ff53a;
    unsigned int e = 0x510e527f, f = 0x9b05688c, g = 0x1f83d9ab, h = 0x5be0cd19;
    for (uniform int t = 0; t < 64; ++t) {
      if (t >= 16) {
        const unsigned int p = w[(t + 1) & 15], q = w[(t + 14) & 15];
        w[t & 15] += (turn(p, 7) ^ turn(p, 18) ^ (p >> 3)) + w[(t + 9) & 15] +
                     (turn(q, 17) ^ turn(q, 19) ^ (q >> 10));
      }
      const unsigned int one = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) +
                               ((e & f) ^ (~e & g)) + constants[t] + w[t & 15];
      const unsigned int two =
          (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      h = g;
      g = f;
      f = e;
      e = d + one;
      d = c;
      c = b;
      b = a;
      a = one + two;
    }
    digests[me] = 0x6a09e667 + a;
    digests[n + me] = 0xbb67ae85 + b;
    digests[2 * n + me] = 0x3c6ef372 + c;
    digests[3 * n + me] = 0xa54ff53a + d;
    digests[4 * n + me] = 0x510e527f + e;
    digests[5 * n + me] = 0x9b05688c + f;
    digests[6 * n + me] = 0x1f83d9ab + g;
    digests[7 * n + me] = 0x5be0cd19 + h;
  }
}
