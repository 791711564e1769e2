#version 450
// OpConvertSToF and OpConvertUToF round to nearest even.
//! buffer data u32[128] binding 0 = random(0, 0xffffffff, 1) >> (i % 16)
//! buffer results f32[256] binding 1
//! dispatch 2
//! expect results[0..128] = data.s32[n]
//! expect results[128..256] = data[n]
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  results[i] = float(int(data[i]));
  results[i + 128] = float(data[i]);
}
