#version 450
// Rays marched through a distance field of a torus and a plane, 48 steps.
//! each SPELLING INT FORM X Y = components uint 0 16 16 | int int 0 16 16 | vectors uint 1 16 16
//!+ | while uint 2 16 16 | 64x1 uint 0 64 1
//! buffer depth f32[256 * 256] binding 0
//! push u32 256
//! dispatch 256/$(X) 256/$(Y)
//! peer within 2e-2 abs
layout(local_size_x = X, local_size_y = Y) in;
layout(binding = 0) writeonly buffer Depth { float depth[]; };
layout(push_constant) uniform Push { uint width; };

#if FORM == 1
float field(vec3 p) {
  const vec2 ring = vec2(length(p.xz) - 1.0, p.y);
  return min(length(ring) - 0.4, p.y + 1.0);
}
#else
float field(float x, float y, float z) {
  const float ring = sqrt(x * x + z * z) - 1.0;
  const float torus = sqrt(ring * ring + y * y) - 0.4;
  return min(torus, y + 1.0);
}
#endif

void main() {
  const INT w = INT(width), px = INT(gl_GlobalInvocationID.x), py = INT(gl_GlobalInvocationID.y);
  const float u = float(px) / float(w) - 0.5, v = float(py) / float(w) - 0.5;
  const float scale = inversesqrt(u * u + (v - 0.4) * (v - 0.4) + 1);
  float t = 0;
#if FORM == 1
  const vec3 direction = vec3(u, v - 0.4, 1) * scale;
  for (INT step = 0; step < 48; ++step) t += 0.7 * field(vec3(0, 1.5, -3) + t * direction);
#elif FORM == 2
  INT step = 48;
  while (step > 0) {
    const float distance = field(t * u * scale, 1.5 + t * (v - 0.4) * scale, t * scale - 3);
    t += 0.7 * distance;
    --step;
  }
#else
  const float dx = u * scale, dy = (v - 0.4) * scale, dz = scale;
  for (INT step = 0; step < 48; ++step) t += 0.7 * field(t * dx, 1.5 + t * dy, t * dz - 3);
#endif
  depth[py * w + px] = min(t, 20.0);
}
