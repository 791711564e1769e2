#version 450
// Loops that end at a bound without a value, or count from none.
//! robust
//! buffer anywhere u32[64] binding 0 scratch
//! buffer ends u32[64] binding 1
//! dispatch 1
//! expect ends = i + 1
layout(local_size_x = 64) in;
layout(binding = 0) buffer Anywhere { uint anywhere[]; };
layout(binding = 1) buffer Ends { uint ends[]; };
void main() {
  const uint i = gl_LocalInvocationID.x;
  uint bound;
  for (uint k = 0; k < (bound & 7u); ++k) anywhere[k] = k;
  uint k;
  for (uint turn = 0; turn < 5 && k < 1000; ++turn) {
    anywhere[k] = turn;
    k += i;
  }
  uint last;
  for (uint turn = 0; turn < 4; ++turn) {
    if (turn > 0) anywhere[last % (turn + last)] = 2;
    if (i % 4 == turn) last = turn;
  }
  ends[i] = i + 1;
}
