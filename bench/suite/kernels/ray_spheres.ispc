// SPDX-License-Identifier: Apache-2.0

export void ray_spheres(const uniform unsigned int32 push[], const uniform float spheres[],
                        uniform float depth[]) {
  const uniform int w = push[0];
  for (uniform int y = 0; y < w; ++y)
    foreach (x = 0 ... w) {
      const float u = (x + 0.5f) / w;
      const float v = (y + 0.5f) / w;
      float nearest = 10;
      for (uniform int s = 0; s < 16; ++s) {
        const float dx = spheres[4 * s] - u, dy = spheres[4 * s + 1] - v;
        const uniform float radius = 0.2f * spheres[4 * s + 3];
        const float inside = radius * radius - dx * dx - dy * dy;
        if (inside > 0) {
          const float t = 2 + spheres[4 * s + 2] - sqrt(inside);
          if (t < nearest) nearest = t;
        }
      }
      depth[y * w + x] = nearest;
    }
}
