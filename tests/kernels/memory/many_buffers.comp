#version 450
// Sixteen storage buffers and four sets.
//! buffer b0 u32[64] set 0 binding 0 = i
//! buffer b1 u32[64] set 0 binding 1 = i * 2
//! buffer b2 u32[64] set 0 binding 2 = i * 3
//! buffer b3 u32[64] set 0 binding 3 = i * 5
//! buffer b4 u32[64] set 1 binding 0 = i * 7
//! buffer b5 u32[64] set 1 binding 1 = i * 11
//! buffer b6 u32[64] set 1 binding 2 = i * 13
//! buffer b7 u32[64] set 1 binding 3 = i * 17
//! buffer b8 u32[64] set 2 binding 0 = 1000
//! buffer b9 u32[64] set 2 binding 1 = 2000
//! buffer b10 u32[64] set 2 binding 2 = 3000
//! buffer b11 u32[64] set 2 binding 3 = 4000
//! buffer b12 u32[64] set 3 binding 0
//! buffer b13 u32[64] set 3 binding 1
//! buffer b14 u32[64] set 3 binding 2
//! buffer b15 u32[64] set 3 binding 3
//! dispatch 1
//! expect b12 = 11 * i
//! expect b13 = 48 * i
//! expect b14 = 3000
//! expect b15 = 7000
layout(local_size_x = 64) in;
#define INPUT(s, b, name) layout(set = s, binding = b) readonly buffer I##name { uint v[]; } name;
#define OUTPUT(s, b, name) layout(set = s, binding = b) writeonly buffer O##name { uint v[]; } name;
INPUT(0, 0, b0) INPUT(0, 1, b1) INPUT(0, 2, b2) INPUT(0, 3, b3)
INPUT(1, 0, b4) INPUT(1, 1, b5) INPUT(1, 2, b6) INPUT(1, 3, b7)
INPUT(2, 0, b8) INPUT(2, 1, b9) INPUT(2, 2, b10) INPUT(2, 3, b11)
OUTPUT(3, 0, b12) OUTPUT(3, 1, b13) OUTPUT(3, 2, b14) OUTPUT(3, 3, b15)

void main() {
  uint i = gl_GlobalInvocationID.x;
  b12.v[i] = b0.v[i] + b1.v[i] + b2.v[i] + b3.v[i];
  b13.v[i] = b4.v[i] + b5.v[i] + b6.v[i] + b7.v[i];
  b14.v[i] = b8.v[i] + b9.v[i];
  b15.v[i] = b10.v[i] + b11.v[i];
}
