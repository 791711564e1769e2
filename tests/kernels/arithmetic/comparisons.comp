#version 450
// Comparisons of signed, unsigned and floating numbers; NaN is unordered.
//! buffer a u32[64] binding 0 = i < 8 ? bits_f32(nan) : random(0, 0xffffffff, 1)
//! buffer b u32[64] binding 1 = i % 5 == 4 ? bits_f32(1.5) : random(0, 0xffffffff, 2)
//! buffer results u32[192] binding 2
//! dispatch 1
//! expect results[0..64] = (a[n] < b[n]) | (a[n] <= b[n]) << 1 | (a[n] > b[n]) << 2 | (a[n] >= b[n]) << 3 | (a[n] == b[n]) << 4 | (a[n] != b[n]) << 5
//! expect results[64..128] = (a.s32[n] < b.s32[n]) | (a.s32[n] <= b.s32[n]) << 1 | (a.s32[n] > b.s32[n]) << 2 | (a.s32[n] >= b.s32[n]) << 3
//! expect results[128..192] = (a.f32[n] < b.f32[n]) | (a.f32[n] <= b.f32[n]) << 1 | (a.f32[n] > b.f32[n]) << 2
//!+  | (a.f32[n] >= b.f32[n]) << 3 | (a.f32[n] == b.f32[n]) << 4 | (a.f32[n] != b.f32[n]) << 5
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { uint a[]; };
layout(binding = 1) readonly buffer B { uint b[]; };
layout(binding = 2) writeonly buffer Results { uint results[]; };

uint bit(bool condition, int place) { return condition ? 1u << place : 0u; }

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint x = a[i], y = b[i];
  results[i] = bit(x < y, 0) | bit(x <= y, 1) | bit(x > y, 2) | bit(x >= y, 3) | bit(x == y, 4) |
               bit(x != y, 5);
  int s = int(x), t = int(y);
  results[i + 64] = bit(s < t, 0) | bit(s <= t, 1) | bit(s > t, 2) | bit(s >= t, 3);
  float f = uintBitsToFloat(x), g = uintBitsToFloat(y);
  results[i + 128] = bit(f < g, 0) | bit(f <= g, 1) | bit(f > g, 2) | bit(f >= g, 3) |
                     bit(f == g, 4) | bit(f != g, 5);
}
