#version 450
// Two shared blocks with an explicit layout lie in the same memory: words in one, bytes in the
// other. A byte that is stored hits the word of the next invocation.
//! debug
//! each BUG AHEAD = 1 4 | 0 0
//! setting check race
//! require workgroupMemoryExplicitLayout workgroupMemoryExplicitLayout8BitAccess shaderInt8
//! buffer results u32[64] binding 0
//! dispatch 1
//! finding race workgroup-memory times $(BUG)
//! expect results = $(BUG) ? @results[i] : 0x07000000 + i
#extension GL_EXT_shared_memory_block : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 64) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };
shared Words { uint words[65]; };
shared Bytes { uint8_t bytes[260]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  words[i] = i;  // finding
  bytes[4 * i + AHEAD + 3] = uint8_t(7);  // finding
  barrier();
  results[i] = words[i];
}
