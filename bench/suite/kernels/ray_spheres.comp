#version 450
// The nearest of 16 spheres that parallel rays meet.
//! each SPELLING INT FORM X Y = components uint 0 16 16 | int int 0 16 16 | vectors uint 1 16 16
//!+ | continue uint 2 16 16 | select uint 3 16 16 | 64x1 uint 0 64 1
//! buffer spheres f32[16 * 4] binding 0 = random(0.1, 1.0, 1)
//! buffer depth f32[256 * 256] binding 1
//! push u32 256
//! dispatch 256/$(X) 256/$(Y)
//! peer within 1e-3 abs
layout(local_size_x = X, local_size_y = Y) in;
#if FORM == 1
layout(binding = 0) readonly buffer Spheres { vec4 spheres[]; };
#else
layout(binding = 0) readonly buffer Spheres { float spheres[]; };
#endif
layout(binding = 1) writeonly buffer Depth { float depth[]; };
layout(push_constant) uniform Push { uint width; };

void main() {
  const INT w = INT(width), x = INT(gl_GlobalInvocationID.x), y = INT(gl_GlobalInvocationID.y);
  const float u = (float(x) + 0.5) / float(w), v = (float(y) + 0.5) / float(w);
  float nearest = 10;
  for (INT s = 0; s < 16; ++s) {
#if FORM == 1
    const vec4 sphere = spheres[s];
    const vec2 off = sphere.xy - vec2(u, v);
    const float inside = 0.04 * sphere.w * sphere.w - dot(off, off);
    if (inside > 0) nearest = min(nearest, 2 + sphere.z - sqrt(inside));
#else
    const float dx = spheres[4 * s] - u, dy = spheres[4 * s + 1] - v, z = spheres[4 * s + 2];
    const float radius = 0.2 * spheres[4 * s + 3];
    const float inside = radius * radius - dx * dx - dy * dy;
#if FORM == 2
    if (inside <= 0) continue;
    const float t = 2 + z - sqrt(inside);
    if (t >= nearest) continue;
    nearest = t;
#elif FORM == 3
    const float t = 2 + z - sqrt(max(inside, 0.0));
    nearest = inside > 0 && t < nearest ? t : nearest;
#else
    if (inside > 0) {
      const float t = 2 + z - sqrt(inside);
      if (t < nearest) nearest = t;
    }
#endif
#endif
  }
  depth[y * w + x] = nearest;
}
