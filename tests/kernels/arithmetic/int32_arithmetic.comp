#version 450
// 32-bit integer arithmetic, signed and unsigned.
//! buffer a s32[256] binding 0 = random(-0x80000000, 0x7fffffff, 1)
//! buffer b s32[256] binding 1 = random(-1000, 1000, 2) | 1
//! buffer sums s32[256] binding 2
//! buffer unsigned_results u32[768] binding 3
//! dispatch 4
//! expect sums = (a[i] + b[i]) * 3 - (a[i] ^ b[i]) + a[i] / b[i]
//! expect unsigned_results[0..256] = a.u32[i] / b.u32[i]
//! expect unsigned_results[256..512] = a.u32[n] % b.u32[n]
//! expect unsigned_results[512..768] = (a.u32[n] << (b[n] & 31)) ^ (a.u32[n] >> (b[n] & 31)) ^ (a[n] >> (b[n] & 31))
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { int a[]; };
layout(binding = 1) readonly buffer B { int b[]; };
layout(binding = 2) writeonly buffer Sums { int sums[]; };
layout(binding = 3) writeonly buffer Unsigned { uint results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  int x = a[i], y = b[i];
  sums[i] = (x + y) * 3 - (x ^ y) + x / y;
  results[i] = uint(x) / uint(y);
  results[i + 256] = uint(x) % uint(y);
  int shift = y & 31;
  results[i + 512] = (uint(x) << shift) ^ (uint(x) >> shift) ^ uint(x >> shift);
}
