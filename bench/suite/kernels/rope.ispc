// SPDX-License-Identifier: Apache-2.0

export void rope(const uniform unsigned int32 push[], const uniform float x[], uniform float y[]) {
  const uniform int pairs = push[0];
  for (uniform int position = 0; position < 512; ++position)
    foreach (pair = 0 ... pairs) {
      const float angle = position * exp(pair * (-9.21034037198f / 128));
      float s, c;
      sincos(angle, &s, &c);
      const int at = 2 * (position * pairs + pair);
      const float a = x[at], b = x[at + 1];
      y[at] = a * c - b * s;
      y[at + 1] = a * s + b * c;
    }
}
