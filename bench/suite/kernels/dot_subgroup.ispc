// SPDX-License-Identifier: Apache-2.0

export void dot_subgroup(const uniform unsigned int32 push[], const uniform float a[],
                         const uniform float b[], uniform float sums[]) {
  const uniform int n = push[0];
  for (uniform int part = 0; part < 256; ++part) {
    float sum = 0;
    foreach (i = part * n ... (part + 1) * n) sum += a[i] * b[i];
    sums[part] = reduce_add(sum);
  }
}
