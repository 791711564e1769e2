// SPDX-License-Identifier: Apache-2.0

kernel __attribute__((reqd_work_group_size(16, 16, 1))) void heat_2d(
    constant uint* push, global const float* restrict before, global float* restrict after) {
  const uint n = push[0], x = get_global_id(0), y = get_global_id(1), here = y * n + x;
  const float rate = as_float(push[1]);
  float value = before[here];
  if (x > 0 && y > 0 && x < n - 1 && y < n - 1)
    value += rate * (before[here - n] + before[here + n] + before[here - 1] + before[here + 1] -
                     4 * value);
  after[here] = value;
}
