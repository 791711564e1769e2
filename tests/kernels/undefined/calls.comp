#version 450
// Variables of a function hold nothing at each call, and parameters that it does not write come back
// with anything.
//! buffer turns u32[64] binding 0 scratch
//! buffer ends u32[64] binding 1
//! dispatch 1
//! expect ends = 40 + i
//! check all_bits(k, 0, 64, @turns[k] <= 4 ? -1 : 0) != 0
layout(local_size_x = 64) in;
layout(binding = 0) buffer Turns { uint turns[]; };
layout(binding = 1) buffer Ends { uint ends[]; };
uint part(uint turn, out uint unwritten) {
  uint found;
  if (turn % 2 == 0) found = turn;
  if (found > 1000) return 1;
  return 0;
}
uint nothing(uint n) {
  if (n < 100) return n;
}
void main() {
  const uint i = gl_LocalInvocationID.x;
  uint count = 0;
  for (uint turn = 0; turn < 4; ++turn) {
    uint unwritten;
    count += part(turn, unwritten);
    if (unwritten % (unwritten + 1) > 5 && nothing(i + 99) == 3) count = 0;
  }
  turns[i] = count;
  ends[i] = 40 + i;
}
