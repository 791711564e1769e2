// SPDX-License-Identifier: Apache-2.0

kernel __attribute__((reqd_work_group_size(128, 1, 1))) void softmax(
    constant uint* push, global const float* restrict x, global float* restrict y) {
  local float partial[128];
  const uint n = push[0], row = get_group_id(0) * n, lane = get_local_id(0);
  float most = x[row + lane];
  for (uint i = lane + 128; i < n; i += 128) most = max(most, x[row + i]);
  partial[lane] = most;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint size = 64; size > 0; size /= 2) {
    if (lane < size) partial[lane] = max(partial[lane], partial[lane + size]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  most = partial[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (uint i = lane; i < n; i += 128) {
    y[row + i] = exp(x[row + i] - most);
    sum += y[row + i];
  }
  partial[lane] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint size = 64; size > 0; size /= 2) {
    if (lane < size) partial[lane] += partial[lane + size];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (uint i = lane; i < n; i += 128) y[row + i] /= partial[0];
}
