// SPDX-License-Identifier: Apache-2.0

export void min_max_index(const uniform unsigned int32 push[], const uniform float data[],
                          uniform float least[], uniform float greatest[],
                          uniform unsigned int32 place[]) {
  const uniform int n = push[0];
  for (uniform int part = 0; part < 256; ++part) {
    const uniform float* uniform from = data + part * n;
    float low = from[0], high = from[0];
    unsigned int at = 0;
    foreach (i = 0 ... n) {
      const float value = from[i];
      low = min(low, value);
      if (value > high) {
        high = value;
        at = i;
      }
    }
    least[part] = reduce_min(low);
    greatest[part] = reduce_max(high);
    place[part] = reduce_min(high == greatest[part] ? at : 0xffffffff);
  }
}
