// SPDX-License-Identifier: Apache-2.0

export void dct8x8(const uniform unsigned int32 push[], const uniform float image[],
                   const uniform float cosines[], uniform float result[]) {
  const uniform int w = push[0];
  for (uniform int row = 0; row < 512; row += 8)
    for (uniform int column = 0; column < w; column += 8) {
      uniform float rows[64];
      foreach (e = 0 ... 64) {
        const int x = e & 7, y = e >> 3;
        float sum = 0;
        for (uniform int k = 0; k < 8; ++k)
          sum += image[(row + y) * w + column + k] * cosines[x * 8 + k];
        rows[e] = sum;
      }
      foreach (e = 0 ... 64) {
        const int x = e & 7, y = e >> 3;
        float sum = 0;
        for (uniform int k = 0; k < 8; ++k) sum += rows[k * 8 + x] * cosines[y * 8 + k];
        result[(row + y) * w + column + x] = sum;
      }
    }
}
