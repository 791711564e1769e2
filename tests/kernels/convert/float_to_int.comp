#version 450
// OpConvertFToS and OpConvertFToU truncate toward zero.
//! buffer data f32[128] binding 0 = random(-2e9, 2e9, 1) / (1 << (i % 31))
//! buffer results s32[256] binding 1
//! dispatch 2
//! expect results[0..128] = trunc(data[n])
//! expect results[128..256] = trunc(abs(data[n]))
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Results { int results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  results[i] = int(data[i]);
  results[i + 128] = int(uint(abs(data[i])));
}
