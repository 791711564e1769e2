// SPDX-License-Identifier: Apache-2.0

export void sphere_trace(const uniform unsigned int32 push[], uniform float depth[]) {
  const uniform int w = push[0];
  for (uniform int py = 0; py < w; ++py)
    foreach (px = 0 ... w) {
      const float u = (float)px / w - 0.5f;
      const uniform float v = (uniform float)py / w - 0.9f;
      const float scale = 1 / sqrt(u * u + v * v + 1);
      const float dx = u * scale, dy = v * scale;
      float t = 0;
      for (uniform int step = 0; step < 48; ++step) {
        const float x = t * dx;
        const float y = 1.5f + t * dy;
        const float z = t * scale - 3;
        const float ring = sqrt(x * x + z * z) - 1.0f;
        t += 0.7f * min(sqrt(ring * ring + y * y) - 0.4f, y + 1.0f);
      }
      depth[py * w + px] = min(t, 20.0f);
    }
}
