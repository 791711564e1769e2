// SPDX-License-Identifier: Apache-2.0

export void compact(const uniform unsigned int32 push[], const uniform float data[],
                    uniform float kept[], uniform unsigned int32 counts[]) {
  const uniform float limit = floatbits(push[0]);
  for (uniform int block = 0; block < 1024; ++block) {
    uniform unsigned int count = 0;
    foreach (i = block * 256 ... (block + 1) * 256) {
      const float value = data[i];
      if (value > limit)
        count += packed_store_active2((uniform int* uniform)(kept + block * 256 + count),
                                      intbits(value));
    }
    counts[block] = count;
  }
}
