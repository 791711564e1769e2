#version 450
// Switches on what has no value, and values that only some cases give.
//! buffer chosen u32[64] binding 0 scratch
//! buffer given u32[64] binding 1
//! dispatch 1
//! check all_bits(k, 0, 64, @chosen[k] >= 10 && @chosen[k] <= 13 ? -1 : 0) != 0
//! expect given = i % 4 == 1 ? 100 + i : i % 4 == 2 ? 200 + i : 300
layout(local_size_x = 64) in;
layout(binding = 0) buffer Chosen { uint chosen[]; };
layout(binding = 1) buffer Given { uint given[]; };
void main() {
  const uint i = gl_LocalInvocationID.x;
  int selector;
  switch (selector) {
    case 0: chosen[i] = 10; break;
    case 1: chosen[i] = 11; break;
    case 2: chosen[i] = 12; break;
    default: chosen[i] = 13; break;
  }
  uint value;
  switch (i % 4) {
    case 1: value = 100 + i; break;
    case 2: value = 200 + i; break;
  }
  given[i] = i % 4 == 1 || i % 4 == 2 ? value : 300;
}
