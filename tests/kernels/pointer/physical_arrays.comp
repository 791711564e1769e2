#version 450
// Buffer references: arithmetic, conversions to integers and uvec2, references in arrays of
// structures and in local arrays, chosen by divergent code, compared, and written through.
//! require bufferDeviceAddress shaderInt64
//! buffer a u32[64] = 100 + i
//! buffer b u32[64] = 200 + i
//! buffer nodes u64[8] binding 0 = { u64 &a, u64 &b, u64 &b, u64 &a, u64 7, u64 0, u64 0, u64 0 }
//! buffer results u32[192] binding 1
//! push u64 &a, u64 &b
//! dispatch 1
//! expect results[0..32] = (i % 2 == 0 ? 100 : 200) + i
//! expect results[32..64] = (i % 4 == 0 || i % 4 == 3 ? 100 : 200) + i - 32
//! expect results[64..96] = 100 + (i - 64) + 1
//! expect results[96..128] = i % 3 == 0 ? 1 : 0
//! expect results[128..160] = (i % 2 == 0 ? 100 : 200) + 5
//! expect results[160..192] = (i - 160) * 4
//! expect a = 100 + i
//! expect b = i >= 32 ? i : 200 + i
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 32) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Word { uint value; };
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Node { Word words[4]; };
layout(binding = 0) readonly buffer Nodes { Word word; Word others[3]; uvec2 last; } nodes;
layout(binding = 1) writeonly buffer Results { uint results[]; };
layout(push_constant) uniform Push { Word a; Word b; };

Word pick(bool second, Word x, Word y) {
  if (second) return y;
  return x;
}

void main() {
  uint i = gl_LocalInvocationIndex;
  Word local[4] = Word[](nodes.word, nodes.others[0], nodes.others[1], nodes.others[2]);
  results[i] = pick(i % 2 == 1, a, b)[i].value;
  results[32 + i] = local[i % 4][i].value;
  results[64 + i] = Word(uint64_t(a) + 4 * (i + 1)).value;
  results[96 + i] = uint64_t(local[i % 3]) == uint64_t(a) ? 1 : 0;
  uvec2 bits = uvec2(i % 2 == 0 ? a : b);
  results[128 + i] = Word(bits)[5].value;
  results[160 + i] = uint(uint64_t(a + i) - uint64_t(a));
  b[32 + i].value = 32 + i;
}
