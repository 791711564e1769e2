#version 450
// Rotary position embedding: pairs of neighbours turned by an angle that grows with the position.
//! each SPELLING INT FORM WIDTH = pair uint 0 1 | int int 0 1 | inline uint 1 1 | vec2 uint 2 2
//! buffer x f32[512 * 256] binding 0 = random(-1.0, 1.0, 1)
//! buffer y f32[512 * 256] binding 1
//! push u32 128
//! dispatch 1 512
//! peer within 2e-4 abs
layout(local_size_x = 128) in;
#if WIDTH == 2
#define TYPE vec2
#else
#define TYPE float
#endif
layout(binding = 0) readonly buffer X { TYPE x[]; };
layout(binding = 1) writeonly buffer Y { TYPE y[]; };
layout(push_constant) uniform Push { uint pairs; };

void main() {
  const INT pair = INT(gl_GlobalInvocationID.x), position = INT(gl_GlobalInvocationID.y);
  const float angle = float(position) * exp2(float(pair) * (-13.2877123795 / 128));
  const INT at = position * INT(pairs) + pair;
#if FORM == 2
  const float c = cos(angle), s = sin(angle);
  const vec2 v = x[at];
  y[at] = vec2(v.x * c - v.y * s, v.x * s + v.y * c);
#elif FORM == 1
  y[2 * at] = x[2 * at] * cos(angle) - x[2 * at + 1] * sin(angle);
  y[2 * at + 1] = x[2 * at] * sin(angle) + x[2 * at + 1] * cos(angle);
#else
  const float c = cos(angle), s = sin(angle), a = x[2 * at], b = x[2 * at + 1];
  y[2 * at] = a * c - b * s;
  y[2 * at + 1] = a * s + b * c;
#endif
}
