// SPDX-License-Identifier: Apache-2.0

static inline unsigned int next(unsigned int& state) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

export void monte_carlo_pi(const uniform unsigned int32 push[], uniform unsigned int32 hits[]) {
  foreach (i = 0 ... 4096) {
    unsigned int state = i * 2654435761 + 12345;
    unsigned int inside = 0;
    for (uniform int r = 0; r < (uniform int)push[0]; ++r) {
      const float x = (float)(int)(next(state) >> 8) * (1.0f / 16777216.0f);
      const float y = (float)(int)(next(state) >> 8) * (1.0f / 16777216.0f);
      if (x * x + y * y < 1.0f) ++inside;
    }
    hits[i] = inside;
  }
}
