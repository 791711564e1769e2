// SPDX-License-Identifier: Apache-2.0

export void dot_tree(const uniform unsigned int32 push[], const uniform float a[],
                     const uniform float b[], uniform float sums[]) {
  const uniform int n = push[0];
  for (uniform int part = 0; part < 256; ++part) {
    uniform float partial[256];
    foreach (lane = 0 ... 256) {
      float sum = 0;
      for (uniform int i = part * n; i < (part + 1) * n; i += 256)
        sum += a[i + lane] * b[i + lane];
      partial[lane] = sum;
    }
    for (uniform int size = 128; size > 0; size /= 2)
      foreach (lane = 0 ... size) partial[lane] += partial[lane + size];
    sums[part] = partial[0];
  }
}
