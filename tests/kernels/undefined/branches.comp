#version 450
// A branch on what has no value goes one of its ways, and each invocation goes on behind it.
//! buffer ways u32[64] binding 0 scratch = 9
//! buffer ends u32[64] binding 1
//! dispatch 1
//! expect ends = i * 3
//! check all_bits(k, 0, 64, @ways[k] == 1 || @ways[k] == 2 ? -1 : 0) != 0
layout(local_size_x = 64) in;
layout(binding = 0) buffer Ways { uint ways[]; };
layout(binding = 1) buffer Ends { uint ends[]; };
bool never_set;
void main() {
  const uint i = gl_LocalInvocationID.x;
  uint u;
  if (u < 5)
    ways[i] = 1;
  else
    ways[i] = 2;
  uint v;
  if (i % 2 == 0) v = i;
  if (v > 10) ways[i] = 3 - ways[i];
  if (never_set) ways[i] = 3 - ways[i];
  float f;
  if (f != f) ways[i] = 3 - ways[i];
  if (f * 0.0 > 1.0) ends[i] = 77;
  ends[i] = i * 3;
}
