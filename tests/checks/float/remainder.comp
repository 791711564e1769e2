#version 450
// A hash table without buckets: the remainder by 0, of integers of 8 and of 32 bits. After GPU-assisted
// validation's tests of its shader sanitizer.
//! debug
//! each BUG N COUNT = 1 2 0 | 0 0 13
//! setting check float
//! require shaderInt8 storageBuffer8BitAccess
//! buffer data u8[64] binding 0 = i
//! buffer results u32[64] binding 1 scratch
//! push u32 $(COUNT)
//! dispatch 1
//! finding float division times $(N)
//! check $(BUG) || all_bits(k, 0, 64, @results[k] == k % 13 + k * 9 % 13 ? -1 : 0) != 0
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint8_t data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };
layout(push_constant) uniform Push { uint count; };
void main() {
  uint i = gl_LocalInvocationID.x;
  uint8_t first = data[i] % uint8_t(count);  // finding
  uint second = (i * 9) % count;  // finding
  results[i] = uint(first) + second;
}
