// SPDX-License-Identifier: Apache-2.0

kernel __attribute__((reqd_work_group_size(16, 16, 1))) void matmul_shared(
    constant uint* push, global const float* restrict a, global const float* restrict b,
    global float* restrict c) {
  local float a_tile[16][16], b_tile[16][16];
  const uint n = push[0], x = get_local_id(0), y = get_local_id(1);
  const uint row = get_group_id(1) * 16 + y, column = get_group_id(0) * 16 + x;
  float sum = 0;
  for (uint depth = 0; depth < n; depth += 16) {
    a_tile[y][x] = a[row * n + depth + x];
    b_tile[y][x] = b[(depth + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < 16; ++k) sum += a_tile[y][k] * b_tile[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}
