// SPDX-License-Identifier: Apache-2.0

export void transpose(const uniform unsigned int32 push[], const uniform float a[],
                      uniform float b[]) {
  const uniform int n = push[0];
  foreach_tiled (y = 0 ... n, x = 0 ... n) b[x * n + y] = a[y * n + x];
}
