#version 450
// Private arrays that begin as zeros, one of them larger than a stack frame holds.
//! buffer data u32[64] binding 0 = random(0, 4999, 1)
//! buffer results u32[64] binding 1
//! dispatch 1
//! expect results = data[i] + (data[i] == 4999 - data[i] ? data[i] : 0) + 7
#extension GL_EXT_null_initializer : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

uint large[5000] = {};
struct Mixed {
  bool flags[40];
  float numbers[40];
  uint words[40];
} mixed = {};

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint at = data[i];
  large[at] = at;
  if (!mixed.flags[at % 40] && mixed.numbers[at % 40] == 0.0) mixed.words[at % 40] = 7;
  results[i] = large[at] + large[4999 - at] + mixed.words[at % 40];
}
