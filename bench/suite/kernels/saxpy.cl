// SPDX-License-Identifier: Apache-2.0

kernel __attribute__((reqd_work_group_size(256, 1, 1))) void saxpy(
    constant uint* push, global const float* restrict x, global float* restrict y) {
  const uint i = get_global_id(0);
  if (i < push[1]) y[i] = as_float(push[0]) * x[i] + y[i];
}
