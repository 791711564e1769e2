// SPDX-License-Identifier: Apache-2.0

export void bitonic_pairs(const uniform unsigned int32 push[], uniform float data[]) {
  const uniform int d = 1 << push[0], block = push[1];
  for (uniform int first = 0; first < 1 << 19; first += 2 * d) {
    const uniform bool up = (first & block) == 0;
    foreach (i = first ... first + d) {
      const float a = data[i], b = data[i + d];
      data[i] = up ? min(a, b) : max(a, b);
      data[i + d] = up ? max(a, b) : min(a, b);
    }
  }
}
