#version 450
// Logical operators and vectors of booleans.
//! buffer data u32[64] binding 0 = random(0, 15, 1)
//! buffer results u32[64] binding 1
//! dispatch 1
//! expect results = (data[i] == 15) | (data[i] != 0) << 1 | ((data[i] & 1) != 0 && (data[i] & 2) != 0) << 2
//!+  | ((data[i] & 1) != 0 || (data[i] & 2) != 0) << 3 | (((data[i] & 1) != 0) != ((data[i] & 2) != 0)) << 4
//!+  | ((data[i] & 4) == 0) << 5
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  bvec4 bits = notEqual(uvec4(data[i]) & uvec4(1, 2, 4, 8), uvec4(0));
  uint result = uint(all(bits)) | uint(any(bits)) << 1;
  result |= uint(bits.x && bits.y) << 2;
  result |= uint(bits.x || bits.y) << 3;
  result |= uint(bits.x ^^ bits.y) << 4;
  result |= uint(not(bits).z) << 5;
  results[i] = result;
}
