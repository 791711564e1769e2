// SPDX-License-Identifier: Apache-2.0

kernel __attribute__((reqd_work_group_size(256, 1, 1))) void bitonic_step(constant uint* push,
                                                                          global float* data) {
  const uint i = get_global_id(0), j = i ^ push[0];
  if (j <= i) return;
  const float a = data[i], b = data[j];
  if ((i & push[1]) == 0 ? a > b : a < b) {
    data[i] = b;
    data[j] = a;
  }
}
