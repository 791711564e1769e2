// SPDX-License-Identifier: Apache-2.0

static inline unsigned int spread(unsigned int v) {
  v = (v | v << 16) & 0x030000ff;
  v = (v | v << 8) & 0x0300f00f;
  v = (v | v << 4) & 0x030c30c3;
  return (v | v << 2) & 0x09249249;
}

export void morton(const uniform unsigned int32 push[], const uniform unsigned int32 xyz[],
                   uniform unsigned int32 codes[]) {
  foreach (i = 0 ... push[0]) {
    const unsigned int point = xyz[i];
    codes[i] = spread(point & 1023) | spread(point >> 10 & 1023) << 1 | spread(point >> 20) << 2;
  }
}
