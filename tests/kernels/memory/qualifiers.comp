#version 450
// volatile, coherent and restrict memory, and memory barriers between accesses.
//! buffer data u32[64] binding 0 = i
//! buffer results u32[64] binding 1 = 0
//! dispatch 1
//! expect data = i + 2
//! expect results = 2 * i + 2
layout(local_size_x = 64) in;
layout(binding = 0) volatile buffer Data { uint data[]; };
layout(binding = 1) coherent restrict buffer Results { uint results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  results[i] = data[i];
  data[i] = data[i] + 1;
  memoryBarrierBuffer();
  data[i] = data[i] + 1;
  memoryBarrier();
  results[i] += data[i];
}
