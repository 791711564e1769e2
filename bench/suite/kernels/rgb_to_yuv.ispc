// SPDX-License-Identifier: Apache-2.0

export void rgb_to_yuv(const uniform unsigned int32 push[], const uniform unsigned int8 rgb[],
                       uniform unsigned int8 yuv[]) {
  const uniform int n = push[0];
  foreach (i = 0 ... n) {
    const int r = rgb[3 * i], g = rgb[3 * i + 1], b = rgb[3 * i + 2];
    yuv[i] = (unsigned int8)(((66 * r + 129 * g + 25 * b + 128) >> 8) + 16);
    yuv[n + i] = (unsigned int8)(((-38 * r - 74 * g + 112 * b + 128) >> 8) + 128);
    yuv[2 * n + i] = (unsigned int8)(((112 * r - 94 * g - 18 * b + 128) >> 8) + 128);
  }
}
