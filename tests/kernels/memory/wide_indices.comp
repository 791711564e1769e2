#version 450
// 64-bit indexing: lengths of 64 bits, and indices whose high words count.
//! require shader64BitIndexing shaderInt64
//! buffer data u32[64] binding 0 = 7 * i
//! buffer results u32[128] binding 1
//! push u64 1
//! dispatch 1
//! expect results[0..64] = 7 * (63 - n)
//! expect results[64..128] = 64
#extension GL_EXT_shader_64bit_indexing : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#pragma shader_64bit_indexing
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };
layout(push_constant) uniform Push { uint64_t one; };

void main() {
  uint i = gl_LocalInvocationID.x;
  uint64_t length = data.length64();
  // 2^34 elements forth and back.
  uint64_t far = (one << 34) - i;
  results[i] = data[far + (length - 1) - (one << 34)];
  results[64 + i] = uint(length >> 32) == 0 ? uint(length) : 0;
}
