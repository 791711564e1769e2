// SPDX-License-Identifier: Apache-2.0

export void nbody(const uniform unsigned int32 push[], const uniform float bodies[],
                  uniform float accelerations[]) {
  const uniform int n = push[0];
  foreach (me = 0 ... n) {
    const float px = bodies[4 * me], py = bodies[4 * me + 1], pz = bodies[4 * me + 2];
    float x = 0, y = 0, z = 0;
    for (uniform int i = 0; i < n; ++i) {
      const float dx = bodies[4 * i] - px, dy = bodies[4 * i + 1] - py;
      const float dz = bodies[4 * i + 2] - pz;
      const float inverse = rsqrt(dx * dx + dy * dy + dz * dz + 0.01f);
      const float pull = bodies[4 * i + 3] * inverse * inverse * inverse;
      x += dx * pull;
      y += dy * pull;
      z += dz * pull;
    }
    accelerations[4 * me] = x;
    accelerations[4 * me + 1] = y;
    accelerations[4 * me + 2] = z;
    accelerations[4 * me + 3] = 0;
  }
}
