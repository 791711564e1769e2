// SPDX-License-Identifier: Apache-2.0

export void levenshtein(const uniform unsigned int32 push[],
                        const uniform unsigned int32 pattern[],
                        const uniform unsigned int32 letters[],
                        uniform unsigned int32 distances[]) {
  const uniform int n = push[0];
  foreach (me = 0 ... n) {
    unsigned int row[17];
    for (uniform int k = 0; k <= 16; ++k) row[k] = k;
    for (uniform int j = 0; j < 16; ++j) {
      const unsigned int letter = letters[j * n + me];
      unsigned int corner = row[0];
      row[0] = j + 1;
      for (uniform int k = 1; k <= 16; ++k) {
        const unsigned int replaced = corner + (pattern[k - 1] == letter ? 0 : 1);
        corner = row[k];
        row[k] = min(replaced, min(row[k], row[k - 1]) + 1);
      }
    }
    distances[me] = row[16];
  }
}
