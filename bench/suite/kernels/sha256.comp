#version 450
// SHA-256's compression of a block of 16 words for each invocation; the words of a block lie apart.
//! each SPELLING INT FORM = for uint 0 | int int 0 | while uint 1
//! buffer words u32[16 * 8192] binding 0 = random(0, 4294967295, 1)
//! buffer constants u32[64] binding 1 = random(0, 4294967295, 2)
//! buffer digests u32[8 * 8192] binding 2
//! push u32 8192
//! dispatch 128
//! peer
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Words { uint words[]; };
layout(binding = 1) readonly buffer Constants { uint constants[]; };
layout(binding = 2) writeonly buffer Digests { uint digests[]; };
layout(push_constant) uniform Push { uint count; };

uint turn(uint x, int n) { return x >> n | x << 32 - n; }

void main() {
  const INT n = INT(count), me = INT(gl_GlobalInvocationID.x);
  const uint start[8] = {0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au,
                         0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u};
  uint w[64];
  for (INT t = 0; t < 16; ++t) w[t] = words[t * n + me];
  for (INT t = 16; t < 64; ++t) {
    const uint p = w[t - 15], q = w[t - 2];
    w[t] = w[t - 16] + (turn(p, 7) ^ turn(p, 18) ^ p >> 3) + w[t - 7] +
           (turn(q, 17) ^ turn(q, 19) ^ q >> 10);
  }
  uint a = start[0], b = start[1], c = start[2], d = start[3];
  uint e = start[4], f = start[5], g = start[6], h = start[7];
#if FORM == 1
  INT t = 0;
  while (t < 64) {
#else
  for (INT t = 0; t < 64; ++t) {
#endif
    const uint word = w[t];
    const uint one = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + (e & f ^ ~e & g) + constants[t] + word;
    const uint two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + (a & b ^ a & c ^ b & c);
    h = g;
    g = f;
    f = e;
    e = d + one;
    d = c;
    c = b;
    b = a;
    a = one + two;
#if FORM == 1
    ++t;
#endif
  }
  const uint end[8] = {a, b, c, d, e, f, g, h};
  for (INT k = 0; k < 8; ++k) digests[k * n + me] = start[k] + end[k];
}
