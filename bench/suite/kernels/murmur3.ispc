// SPDX-License-Identifier: Apache-2.0

static inline unsigned int turned(unsigned int x, uniform int n) {
  return x << n | x >> (32 - n);
}

export void murmur3(const uniform unsigned int32 push[], const uniform unsigned int32 keys[],
                    uniform unsigned int32 hashes[]) {
  const uniform int n = push[0];
  foreach (i = 0 ... n) {
    unsigned int hash = push[1];
    for (uniform int k = 0; k < 4; ++k) {
      hash ^= turned(keys[k * n + i] * 0xcc9e2d51, 15) * 0x1b873593;
      hash = turned(hash, 13) * 5 + 0xe6546b64;
    }
    hash ^= 16;
    hash = (hash ^ (hash >> 16)) * 0x85ebca6b;
    hash = (hash ^ (hash >> 13)) * 0xc2b2ae35;
    hashes[i] = hash ^ (hash >> 16);
  }
}
