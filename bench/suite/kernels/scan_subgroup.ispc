// SPDX-License-Identifier: Apache-2.0

export void scan_subgroup(const uniform unsigned int32 push[], const uniform unsigned int32 data[],
                          uniform unsigned int32 sums[]) {
  for (uniform int block = 0; block < 1024; ++block) {
    uniform unsigned int before = 0;
    foreach (i = block * 256 ... (block + 1) * 256) {
      const unsigned int value = data[i];
      sums[i] = before + exclusive_scan_add(value) + value;
      before += reduce_add(value);
    }
  }
}
