// SPDX-License-Identifier: Apache-2.0

export void top_k(const uniform unsigned int32 push[], const uniform float data[],
                  uniform float greatest[]) {
  for (uniform int block = 0; block < 64; ++block) {
    const uniform float* uniform values = data + block * 256;
    foreach (lane = 0 ... 256) {
      const float value = values[lane];
      int place = 0;
      for (uniform int i = 0; i < 256; ++i) {
        const uniform float other = values[i];
        place += (other > value || (other == value && i < lane)) ? 1 : 0;
      }
      if (place < 16) greatest[block * 16 + place] = value;
    }
  }
}
