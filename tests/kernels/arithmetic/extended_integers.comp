#version 450
// OpUMulExtended, OpSMulExtended, OpIAddCarry, OpISubBorrow.
//! buffer a u32[128] binding 0 = random(0, 0xffffffff, 1)
//! buffer b u32[128] binding 1 = random(0, 0xffffffff, 2)
//! buffer results u32[1024] binding 2
//! dispatch 2
//! expect results[0..128] = (a[n] * b[n]) >> 32
//! expect results[128..256] = a[n] * b[n]
//! expect results[256..384] = (a.s32[n] * b.s32[n]) >> 32
//! expect results[384..512] = a.s32[n] * b.s32[n]
//! expect results[512..640] = a[n] + b[n]
//! expect results[640..768] = (a[n] + b[n]) >> 32
//! expect results[768..896] = a[n] - b[n]
//! expect results[896..1024] = a[n] < b[n]
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { uint a[]; };
layout(binding = 1) readonly buffer B { uint b[]; };
layout(binding = 2) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint high, low, carry, borrow;
  int signed_high, signed_low;
  umulExtended(a[i], b[i], high, low);
  imulExtended(int(a[i]), int(b[i]), signed_high, signed_low);
  results[i] = high;
  results[i + 128] = low;
  results[i + 256] = uint(signed_high);
  results[i + 384] = uint(signed_low);
  results[i + 512] = uaddCarry(a[i], b[i], carry);
  results[i + 640] = carry;
  results[i + 768] = usubBorrow(a[i], b[i], borrow);
  results[i + 896] = borrow;
}
