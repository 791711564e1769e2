#version 450
// The nearest of 16 centers for points in 8 dimensions, whose coordinates lie in arrays of their own.
//! each SPELLING INT FORM = if uint 0 | int int 0 | select uint 1 | while uint 2 | shared uint 3
//! buffer points f32[8 << 15] binding 0 = random(-1.0, 1.0, 1)
//! buffer centers f32[16 * 8] binding 1 = random(-1.0, 1.0, 2)
//! buffer nearest u32[1 << 15] binding 2
//! push u32 1 << 15
//! dispatch 128
//! peer
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer Points { float points[]; };
layout(binding = 1) readonly buffer Centers { float centers[]; };
layout(binding = 2) writeonly buffer Nearest { uint nearest[]; };
layout(push_constant) uniform Push { uint count; };
shared float near_centers[128];

void main() {
  const INT n = INT(count), i = INT(gl_GlobalInvocationID.x);
#if FORM == 3
  if (gl_LocalInvocationIndex < 128)
    near_centers[gl_LocalInvocationIndex] = centers[gl_LocalInvocationIndex];
  barrier();
#define CENTER(k) near_centers[k]
#else
#define CENTER(k) centers[k]
#endif
  float best = 1e30;
  INT place = 0;
#if FORM == 2
  INT c = 0;
  while (c < 16) {
    float distance = 0;
    INT d = 0;
    while (d < 8) {
      const float off = points[d * n + i] - CENTER(c * 8 + d);
      distance += off * off;
      ++d;
    }
    if (distance < best) {
      best = distance;
      place = c;
    }
    ++c;
  }
#else
  for (INT c = 0; c < 16; ++c) {
    float distance = 0;
    for (INT d = 0; d < 8; ++d) {
      const float off = points[d * n + i] - CENTER(c * 8 + d);
      distance += off * off;
    }
#if FORM == 1
    place = distance < best ? c : place;
    best = min(best, distance);
#else
    if (distance < best) {
      best = distance;
      place = c;
    }
#endif
  }
#endif
  nearest[i] = uint(place);
}
