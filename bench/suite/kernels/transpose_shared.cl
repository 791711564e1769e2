// SPDX-License-Identifier: Apache-2.0

kernel __attribute__((reqd_work_group_size(16, 16, 1))) void transpose_shared(
    constant uint* push, global const float* restrict a, global float* restrict b) {
  local float tile[16][17];
  const uint n = push[0], x = get_local_id(0), y = get_local_id(1);
  const uint row = get_group_id(1) * 16, column = get_group_id(0) * 16;
  tile[y][x] = a[(row + y) * n + column + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  b[(column + y) * n + row + x] = tile[x][y];
}
