// SPDX-License-Identifier: Apache-2.0

export void fft256(const uniform unsigned int32 push[], const uniform float data[],
                   uniform float result[], const uniform float roots[]) {
  uniform int reversed[256];
  foreach (i = 0 ... 256) {
    int place = 0;
    for (uniform int b = 0; b < 8; ++b) place |= ((i >> b) & 1) << (7 - b);
    reversed[i] = place;
  }
  for (uniform int first = 0; first < 256 * 256; first += 256) {
    uniform float re[256], im[256];
    foreach (i = 0 ... 256) {
      re[i] = data[2 * (first + reversed[i])];
      im[i] = data[2 * (first + reversed[i]) + 1];
    }
    for (uniform int half = 1; half < 256; half *= 2)
      foreach (lane = 0 ... 128) {
        const int k = lane & (half - 1);
        const int i = 2 * lane - k;
        const int j = i + half;
        const int root = k * (128 / half);
        const float c = roots[2 * root], s = roots[2 * root + 1];
        const float x = re[j] * c - im[j] * s;
        const float y = re[j] * s + im[j] * c;
        const float p = re[i], q = im[i];
        re[j] = p - x;
        im[j] = q - y;
        re[i] = p + x;
        im[i] = q + y;
      }
    foreach (i = 0 ... 256) {
      result[2 * (first + i)] = re[i];
      result[2 * (first + i) + 1] = im[i];
    }
  }
}
