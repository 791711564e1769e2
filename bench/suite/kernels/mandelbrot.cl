// SPDX-License-Identifier: Apache-2.0

kernel __attribute__((reqd_work_group_size(16, 16, 1))) void mandelbrot(
    constant uint* push, global uint* restrict steps) {
  const uint w = push[0], x = get_global_id(0), y = get_global_id(1);
  const float cr = fma((float)x, 0.01171875f, -2.0f), ci = fma((float)y, 0.01171875f, -1.5f);
  float r = 0, i = 0;
  uint n = 0;
  for (; n < push[1] && fmax(fabs(r), fabs(i)) <= 2; ++n) {
    const float next = fma(r, r, fma(-i, i, cr));
    i = fma(2 * r, i, ci);
    r = next;
  }
  steps[y * w + x] = n;
}
