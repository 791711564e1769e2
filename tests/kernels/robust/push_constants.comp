#version 450
// Indices out of bounds into push constants, and into an array that is a member of a uniform block.
//! each NAME FAR = near 8 | far 0x10000000 | before -1 | wraps 0x7fffffff
//! robust
//! buffer constants u32[64] binding 0 uniform range 128 = 200 + i
//! buffer results u32[160] binding 1
//! push s32 $(FAR), s32 0, s32 0, s32 0, u32 10, u32 11, u32 12, u32 13, u32 14, u32 15, u32 16, u32 17
//! dispatch 1
//! expect results[0..32] = 0
//! expect results[32..64] = n % 2 == 1 ? 0 : 10 + n / 4
//! expect results[64..96] = 0
//! expect results[96..128] = n % 2 == 1 ? 0 : 200 + n / 4 * 4
//! expect results[128..160] = 0
layout(local_size_x = 32) in;
layout(binding = 0) uniform Constants { uvec4 constants[8]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };
layout(push_constant) uniform Push {
  ivec4 far;
  uint numbers[8];
};

void main() {
  const int i = int(gl_LocalInvocationIndex);
  const int some = i % 2 == 1 ? (far.x < 0 ? far.x - i - 8 : far.x + i + 60) : i / 4;
  results[i] = numbers[far.x] + numbers[far.x + 100];
  results[32 + i] = numbers[some];
  results[64 + i] = constants[far.x].x;
  results[96 + i] = constants[some].x;
  results[128 + i] = far[far.x + 4 + 100 * int(far.x == -1)];
}
