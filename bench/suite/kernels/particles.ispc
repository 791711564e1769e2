// SPDX-License-Identifier: Apache-2.0

export void particles(const uniform unsigned int32 push[], uniform float x[], uniform float y[],
                      uniform float vx[], uniform float vy[]) {
  const uniform float dt = floatbits(push[1]);
  foreach (i = 0 ... push[0]) {
    float u = vx[i], v = vy[i];
    float px = x[i] + u * dt, py = y[i] + v * dt;
    if (px < 0 || px > 1) {
      px = px < 0 ? -px : 2 - px;
      u = -u;
    }
    if (py < 0 || py > 1) {
      py = py < 0 ? -py : 2 - py;
      v = -v;
    }
    x[i] = px;
    y[i] = py;
    vx[i] = u;
    vy[i] = v;
  }
}
