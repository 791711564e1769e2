// SPDX-License-Identifier: Apache-2.0

kernel __attribute__((reqd_work_group_size(16, 16, 1))) void conv5x5(
    constant uint* push, global const float* restrict image, global const float* restrict weights,
    global float* restrict result) {
  const int w = push[0], h = push[1], x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int j = 0; j < 5; ++j)
    for (int i = 0; i < 5; ++i) {
      const int row = y + j - 2, column = x + i - 2;
      if (row >= 0 && row < h && column >= 0 && column < w)
        sum += weights[j * 5 + i] * image[row * w + column];
    }
  result[y * w + x] = sum;
}
