// SPDX-License-Identifier: Apache-2.0

export void collatz(const uniform unsigned int32 push[], uniform unsigned int32 steps[]) {
  foreach (i = 0 ... push[0]) {
    unsigned int value = i + 1;
    unsigned int n = 0;
    while (value != 1) {
      value = (value & 1) == 0 ? value >> 1 : value * 3 + 1;
      ++n;
    }
    steps[i] = n;
  }
}
