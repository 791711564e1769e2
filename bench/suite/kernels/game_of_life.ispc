// SPDX-License-Identifier: Apache-2.0

export void game_of_life(const uniform unsigned int32 push[], const uniform unsigned int8 before[],
                         uniform unsigned int8 after[]) {
  const uniform int n = push[0];
  for (uniform int y = 0; y < n; ++y) {
    const uniform int above = ((y - 1) & (n - 1)) * n;
    const uniform int below = ((y + 1) & (n - 1)) * n;
    foreach (x = 0 ... n) {
      const int left = (x - 1) & (n - 1), right = (x + 1) & (n - 1);
      const int alive = before[above + left] + before[above + x] + before[above + right] +
                        before[y * n + left] + before[y * n + right] + before[below + left] +
                        before[below + x] + before[below + right];
      const int was = before[y * n + x];
      after[y * n + x] = (alive == 3 || (alive == 2 && was != 0)) ? 1 : 0;
    }
  }
}
