#version 450
// Particles moved by a step, thrown back at the walls of a box; coordinates in arrays of their own.
//! each SPELLING INT FORM = if uint 0 | int int 0 | select uint 1 | return uint 2 | 16x16 uint 3
//! buffer x f32[1 << 17] binding 0 = random(0.0, 1.0, 1)
//! buffer y f32[1 << 17] binding 1 = random(0.0, 1.0, 2)
//! buffer vx f32[1 << 17] binding 2 = random(-1.0, 1.0, 3)
//! buffer vy f32[1 << 17] binding 3 = random(-1.0, 1.0, 4)
//! push u32 1 << 17, f32 0.01
//! dispatch 512
//! peer within 1e-6 abs
#if FORM == 3
layout(local_size_x = 16, local_size_y = 16) in;
#else
layout(local_size_x = 256) in;
#endif
layout(binding = 0) buffer X { float x[]; };
layout(binding = 1) buffer Y { float y[]; };
layout(binding = 2) buffer VX { float vx[]; };
layout(binding = 3) buffer VY { float vy[]; };
layout(push_constant) uniform Push { uint count; float dt; };

void main() {
#if FORM == 3
  const INT i = INT(gl_WorkGroupID.x * 256 + gl_LocalInvocationIndex);
#else
  const INT i = INT(gl_GlobalInvocationID.x);
#endif
#if FORM == 2
  if (i >= INT(count)) return;
#else
  if (i < INT(count)) {
#endif
    float u = vx[i], v = vy[i];
    float px = x[i] + u * dt, py = y[i] + v * dt;
#if FORM == 1
    u = px < 0 || px > 1 ? -u : u;
    v = py < 0 || py > 1 ? -v : v;
    px = px < 0 ? -px : px > 1 ? 2 - px : px;
    py = py < 0 ? -py : py > 1 ? 2 - py : py;
#else
    if (px < 0) {
      px = -px;
      u = -u;
    } else if (px > 1) {
      px = 2 - px;
      u = -u;
    }
    if (py < 0) {
      py = -py;
      v = -v;
    } else if (py > 1) {
      py = 2 - py;
      v = -v;
    }
#endif
    x[i] = px;
    y[i] = py;
    vx[i] = u;
    vy[i] = v;
#if FORM != 2
  }
#endif
}
