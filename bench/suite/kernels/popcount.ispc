// SPDX-License-Identifier: Apache-2.0

export void popcount(const uniform unsigned int32 push[], const uniform unsigned int32 codes[],
                     uniform unsigned int32 distances[]) {
  const uniform int n = push[0];
  foreach (i = 0 ... n) {
    unsigned int distance = 0;
    for (uniform int word = 0; word < 8; ++word)
      distance += (unsigned int)popcnt((int)(codes[word * n + i] ^ codes[word * n]));
    distances[i] = distance;
  }
}
