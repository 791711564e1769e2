#version 450
// Loads and stores at addresses that differ in every way: permuted, strided, equal.
//! buffer order u32[64] binding 0 = (i * 37 + 11) % 64
//! buffer data f32[256] binding 1 = random(-9, 9, 1)
//! buffer results f32[256] binding 2 = 0
//! dispatch 1
//! expect results[0..64] = data[(n * 7 + 51) % 64]
//! expect results[64..128] = data[4 * n + 2]
//! expect results[128..256 step 2] = data[5]
//! expect results[129..256 step 2] = 0
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Order { uint order[]; };
layout(binding = 1) readonly buffer Data { float data[]; };
layout(binding = 2) writeonly buffer Results { float results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  // 37 * 45 = 1 modulo 64: the inverse of `order` is (j - 11) * 45.
  results[order[i]] = data[(order[i] * 7 + 51) % 64];
  results[64 + i] = data[4 * i + 2];
  results[128 + 2 * i] = data[order[0] - 6];
}
