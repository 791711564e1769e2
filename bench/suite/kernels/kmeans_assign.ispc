// SPDX-License-Identifier: Apache-2.0

export void kmeans_assign(const uniform unsigned int32 push[], const uniform float points[],
                          const uniform float centers[], uniform unsigned int32 nearest[]) {
  const uniform int n = push[0];
  foreach (i = 0 ... n) {
    float best = 1e30f;
    unsigned int place = 0;
    for (uniform int c = 0; c < 16; ++c) {
      float distance = 0;
      for (uniform int d = 0; d < 8; ++d) {
        const float off = points[d * n + i] - centers[c * 8 + d];
        distance += off * off;
      }
      if (distance < best) {
        best = distance;
        place = c;
      }
    }
    nearest[i] = place;
  }
}
