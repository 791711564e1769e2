// SPDX-License-Identifier: Apache-2.0

uint blend(uint a, uint b, uint alpha) { return (a * alpha + b * (255 - alpha) + 127) / 255; }

kernel __attribute__((reqd_work_group_size(256, 1, 1))) void alpha_blend(
    constant uint* push, global const uint* restrict over, global const uint* restrict under,
    global uint* restrict result) {
  const uint i = get_global_id(1) * push[0] + get_global_id(0);
  const uint a = over[i], b = under[i], alpha = a >> 24;
  result[i] = blend(a & 255, b & 255, alpha) | blend(a >> 8 & 255, b >> 8 & 255, alpha) << 8 |
              blend(a >> 16 & 255, b >> 16 & 255, alpha) << 16 | 0xff000000u;
}
