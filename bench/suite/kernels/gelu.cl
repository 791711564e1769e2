// SPDX-License-Identifier: Apache-2.0

kernel __attribute__((reqd_work_group_size(256, 1, 1))) void gelu(
    constant uint* push, global const float* restrict x, global float* restrict y) {
  const uint i = get_global_id(0);
  const float v = x[i];
  y[i] = 0.5f * v * (1 + tanh(0.7978845608f * (v + 0.044715f * v * v * v)));
}
