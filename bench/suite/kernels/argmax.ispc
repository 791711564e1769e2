// SPDX-License-Identifier: Apache-2.0

export void argmax(const uniform unsigned int32 push[], const uniform float x[],
                   uniform unsigned int32 places[]) {
  const uniform int n = push[0];
  foreach (row = 0 ... n) {
    float most = x[row];
    unsigned int place = 0;
    for (uniform int i = 1; i < 64; ++i) {
      const float value = x[i * n + row];
      if (value > most) {
        most = value;
        place = i;
      }
    }
    places[row] = place;
  }
}
