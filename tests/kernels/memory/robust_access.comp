#version 450
// robustBufferAccess2: reads outside a buffer give 0, writes are dropped; the buffers' neighbours
// stay as they are (the runner watches the bytes behind each).
//! require robustBufferAccess2
//! robust
//! buffer data u32[64] binding 0 range 128 = 100 + i
//! buffer results u32[64] binding 1
//! buffer clipped u32[64] binding 2 range 64 = 3
//! dispatch 1
//! expect results = i < 32 ? 100 + i : 0
//! expect clipped = i < 16 ? 1000 + i : 3
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };
layout(binding = 2) writeonly buffer Clipped { uint clipped[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  results[i] = data[i];
  clipped[i] = 1000 + i;
  clipped[i * 0x1000001u + 70] = 5;
}
