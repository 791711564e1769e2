// SPDX-License-Identifier: Apache-2.0

export void scan_hillis_steele(const uniform unsigned int32 push[],
                               const uniform unsigned int32 data[],
                               uniform unsigned int32 sums[]) {
  for (uniform int block = 0; block < 1024; ++block) {
    uniform unsigned int values[2][256];
    foreach (lane = 0 ... 256) values[0][lane] = data[block * 256 + lane];
    uniform int from = 0;
    for (uniform int step = 1; step < 256; step *= 2) {
      foreach (lane = 0 ... step) values[1 - from][lane] = values[from][lane];
      foreach (lane = step ... 256)
        values[1 - from][lane] = values[from][lane] + values[from][lane - step];
      from = 1 - from;
    }
    foreach (lane = 0 ... 256) sums[block * 256 + lane] = values[from][lane];
  }
}
