// SPDX-License-Identifier: Apache-2.0

static inline unsigned int blend(unsigned int a, unsigned int b, unsigned int alpha) {
  return (a * alpha + b * (255 - alpha) + 127) / 255;
}

export void alpha_blend(const uniform unsigned int32 push[], const uniform unsigned int32 over[],
                        const uniform unsigned int32 under[], uniform unsigned int32 result[]) {
  foreach (i = 0 ... push[0] * 512) {
    const unsigned int a = over[i], b = under[i];
    const unsigned int alpha = a >> 24;
    result[i] = blend(a & 255, b & 255, alpha) | blend(a >> 8 & 255, b >> 8 & 255, alpha) << 8 |
                blend(a >> 16 & 255, b >> 16 & 255, alpha) << 16 | 0xff000000;
  }
}
