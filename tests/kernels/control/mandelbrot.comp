#version 450
// A divergent loop with floating-point state; points well inside or outside, so that rounding does
// not change the count.
//! buffer points f32[32] binding 0 = { 0, 0, 1, 0, -1, 0, 2, 2, 0.5, 0.5, -2, 0, 0.3, 0, 0, 1,
//!+  -1.5, 0, 0.25, 0.5, 1, 1, -0.5, 0.5, 0, 2, 3, 0, 0.4, 0.4, -0.75, 0.3 }
//! buffer counts u32[16] binding 1
//! dispatch 1
//! expect counts = { 50, 2, 50, 0, 4, 50, 11, 50, 50, 50, 1, 50, 1, 0, 8, 10 }
layout(local_size_x = 16) in;
layout(binding = 0) readonly buffer Points { vec2 points[]; };
layout(binding = 1) writeonly buffer Counts { uint counts[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  vec2 c = points[i], z = vec2(0);
  uint count = 0;
  for (; count < 50; ++count) {
    vec2 next = vec2(z.x * z.x - z.y * z.y, 2 * z.x * z.y) + c;
    if (dot(next, next) > 4) break;
    z = next;
  }
  counts[i] = count;
}
