// SPDX-License-Identifier: Apache-2.0

kernel __attribute__((reqd_work_group_size(256, 1, 1))) void dot_tree(
    constant uint* push, global const float* restrict a, global const float* restrict b,
    global float* restrict sums) {
  local float partial[256];
  const uint lane = get_local_id(0), n = push[0], first = get_group_id(0) * n;
  float sum = 0;
  for (uint i = lane; i < n; i += 256) sum += a[first + i] * b[first + i];
  partial[lane] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint size = 128; size > 0; size /= 2) {
    if (lane < size) partial[lane] += partial[lane + size];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lane == 0) sums[get_group_id(0)] = partial[0];
}
