// SPDX-License-Identifier: Apache-2.0

export void heat_2d(const uniform unsigned int32 push[], const uniform float before[],
                    uniform float after[]) {
  const uniform int n = push[0];
  const uniform float rate = floatbits(push[1]);
  for (uniform int y = 0; y < n; ++y)
    foreach (x = 0 ... n) {
      const int here = y * n + x;
      float value = before[here];
      if (x > 0 && y > 0 && x < n - 1 && y < n - 1)
        value += rate * (before[here - n] + before[here + n] + before[here - 1] +
                         before[here + 1] - 4 * value);
      after[here] = value;
    }
}
