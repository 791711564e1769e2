// SPDX-License-Identifier: Apache-2.0

export void bilinear_resize(const uniform unsigned int32 push[], const uniform float image[],
                            uniform float result[]) {
  const uniform int from = push[0];
  const uniform int to = push[1];
  const uniform float scale = (uniform float)from / (uniform float)to;
  for (uniform int y = 0; y < to; ++y) {
    const uniform float v = max((y + 0.5f) * scale - 0.5f, 0.0f);
    const uniform int top = (uniform int)v;
    const uniform int bottom = min(top + 1, from - 1);
    const uniform float b = v - top;
    foreach (x = 0 ... to) {
      const float u = max((x + 0.5f) * scale - 0.5f, 0.0f);
      const int left = (int)u;
      const int right = min(left + 1, from - 1);
      const float a = u - left;
      const float upper = image[top * from + left] * (1 - a) + image[top * from + right] * a;
      const float lower = image[bottom * from + left] * (1 - a) + image[bottom * from + right] * a;
      result[y * to + x] = upper * (1 - b) + lower * b;
    }
  }
}
