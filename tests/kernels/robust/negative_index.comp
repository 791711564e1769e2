#version 450
// Indices below zero are out of bounds, also where the access would end inside the buffer.
//! robust
//! buffer data u32[64] binding 0 at 64 range 64 = 100 + i
//! buffer results u32[32] binding 1
//! dispatch 1
//! expect results = i < 8 ? 0 : i < 24 ? 108 + i : 0
//! expect data = i >= 16 && i < 32 ? 1000 + i - 8 : 100 + i
layout(local_size_x = 32) in;
layout(binding = 0) buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  int i = int(gl_LocalInvocationIndex);
  results[i] = data[i - 8];
  data[i - 8] = 1000 + i;
}
