// SPDX-License-Identifier: Apache-2.0

kernel __attribute__((reqd_work_group_size(64, 1, 1))) void matvec_row(
    constant uint* push, global const float* restrict a, global const float* restrict x,
    global float* restrict y) {
  const uint n = push[0], row = get_global_id(0);
  float sum = 0;
  for (uint k = 0; k < n; ++k) sum += a[row * n + k] * x[k];
  y[row] = sum;
}
