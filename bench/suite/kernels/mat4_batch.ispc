// SPDX-License-Identifier: Apache-2.0

export void mat4_batch(const uniform unsigned int32 push[], const uniform float a[],
                       const uniform float b[], uniform float c[]) {
  for (uniform int first = 0; first < 1 << 19; first += 16)
    foreach (e = 0 ... 16) {
      const int column = e / 4, row = e % 4;
      float sum = 0;
      for (uniform int k = 0; k < 4; ++k)
        sum += a[first + k * 4 + row] * b[first + column * 4 + k];
      c[first + e] = sum;
    }
}
