// SPDX-License-Identifier: Apache-2.0

export void floyd_warshall(const uniform unsigned int32 push[], uniform float distance[]) {
  const uniform int n = push[0], k = push[1];
  for (uniform int row = 0; row < n; ++row) {
    const uniform float first = distance[row * n + k];
    foreach (column = 0 ... n)
      distance[row * n + column] =
          min(distance[row * n + column], first + distance[k * n + column]);
  }
}
