// SPDX-License-Identifier: Apache-2.0

export void bitonic_step(const uniform unsigned int32 push[], uniform float data[]) {
  const uniform int distance = push[0], block = push[1];
  foreach (i = 0 ... 1 << 19) {
    const int j = i ^ distance;
    if (j > i) {
      const float a = data[i], b = data[j];
      if ((i & block) == 0 ? a > b : a < b) {
        data[i] = b;
        data[j] = a;
      }
    }
  }
}
