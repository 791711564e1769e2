// SPDX-License-Identifier: Apache-2.0

export void crc32(const uniform unsigned int32 push[], const uniform unsigned int32 messages[],
                  const uniform unsigned int32 table[], uniform unsigned int32 sums[]) {
  const uniform int n = push[0];
  foreach (me = 0 ... n) {
    unsigned int crc = 0xffffffff;
    for (uniform int t = 0; t < 64; ++t) {
      unsigned int word = messages[t * n + me];
      for (uniform int b = 0; b < 4; ++b) {
        crc = (crc >> 8) ^ table[(crc ^ word) & 255];
        word >>= 8;
      }
    }
    sums[me] = ~crc;
  }
}
