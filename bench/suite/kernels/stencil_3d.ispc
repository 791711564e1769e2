// SPDX-License-Identifier: Apache-2.0

export void stencil_3d(const uniform unsigned int32 push[], const uniform float before[],
                       uniform float after[]) {
  const uniform int n = push[0];
  const uniform float center = floatbits(push[1]);
  const uniform float side = floatbits(push[2]);
  for (uniform int z = 1; z < n - 1; ++z)
    for (uniform int y = 1; y < n - 1; ++y)
      foreach (x = 1 ... n - 1) {
        const int here = (z * n + y) * n + x;
        after[here] = center * before[here] +
                      side * (before[here - 1] + before[here + 1] + before[here - n] +
                              before[here + n] + before[here - n * n] + before[here + n * n]);
      }
}
