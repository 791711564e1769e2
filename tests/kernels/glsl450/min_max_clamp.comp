#version 450
// FMin, FMax, FClamp and their integer forms, on scalars and vectors.
//! buffer data f32[256] binding 0 = random(-10, 10, 1)
//! buffer results f32[192] binding 1
//! buffer integers s32[192] binding 2
//! dispatch 1
//! expect results[0..64] = min(data[4 * n], data[4 * n + 1])
//! expect results[64..128] = max(data[4 * n + 2], data[4 * n + 3])
//! expect results[128..192] = clamp(data[4 * n], -2, 3)
//! expect integers[0..64] = clamp(trunc(data[4 * n]), -2, 3)
//! expect integers[64..128] = min(u32(trunc(data[4 * n])), u32(trunc(data[4 * n + 1])))
//! expect integers[128..192] = max(u32(trunc(data[4 * n])), 5)
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { vec4 data[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };
layout(binding = 2) writeonly buffer Integers { int integers[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  vec4 v = data[i];
  results[i] = min(v.xz, v.yw).x;
  results[64 + i] = max(v.xz, v.yw).y;
  results[128 + i] = clamp(v, -2.0, 3.0).x;
  ivec2 w = ivec2(v.xy);
  integers[i] = clamp(w.x, -2, 3);
  integers[64 + i] = int(min(uint(w.x), uint(w.y)));
  integers[128 + i] = int(max(uvec2(w), uvec2(5)).x);
}
