// SPDX-License-Identifier: Apache-2.0

kernel __attribute__((reqd_work_group_size(256, 1, 1))) void bitonic_pairs(constant uint* push,
                                                                           global float* data) {
  const uint t = get_global_id(0), d = 1u << push[0];
  const uint i = t / d * 2 * d + t % d, j = i + d;
  const float a = data[i], b = data[j];
  if ((a > b) == ((i & push[1]) == 0)) {
    data[i] = b;
    data[j] = a;
  }
}
