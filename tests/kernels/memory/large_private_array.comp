#version 450
// 8 KiB of private memory an invocation: too much for registers and for a stack frame.
//! buffer data u32[64] binding 0 = random(0, 2047, 1)
//! buffer results u32[64] binding 1
//! dispatch 1
//! expect results = (data[i] * 7 + i) ^ ((2047 - data[i]) * 7 + i)
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint table[2048];
  for (uint k = 0; k < 2048; ++k) table[k] = k * 7 + i;
  results[i] = table[data[i]] ^ table[2047 - data[i]];
}
