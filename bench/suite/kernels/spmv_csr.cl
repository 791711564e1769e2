// SPDX-License-Identifier: Apache-2.0

kernel __attribute__((reqd_work_group_size(64, 1, 1))) void spmv_csr(
    constant uint* push, global const uint* restrict starts, global const uint* restrict columns,
    global const float* restrict values, global const float* restrict x,
    global float* restrict y) {
  const uint row = get_global_id(0);
  float sum = 0;
  for (uint k = starts[row]; k < starts[row + 1]; ++k) sum += values[k] * x[columns[k]];
  y[row] = sum;
}
