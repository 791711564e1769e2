#version 450
// Indices without a value lead somewhere into the buffer, or nowhere: what is tested is what is used.
//! robust
//! buffer anywhere u32[64] binding 0 scratch
//! buffer untouched u32[64] binding 1 = i
//! buffer ends u32[64] binding 2
//! dispatch 2
//! expect ends = i % 64 + 1
layout(local_size_x = 32) in;
layout(binding = 0) buffer Anywhere { uint anywhere[]; };
layout(binding = 1) readonly buffer Untouched { uint untouched[]; };
layout(binding = 2) buffer Ends { uint ends[]; };
void main() {
  const uint i = gl_GlobalInvocationID.x;
  uint at;
  anywhere[at] = 1;
  anywhere[at + i] += untouched[at * 3];
  int before;
  anywhere[before - 1] = 2;
  float far;
  anywhere[uint(far)] = 3;
  anywhere[int(far * 1e20)] = 4;
  uint shift;
  anywhere[1 << shift] = 5;
  anywhere[bitfieldExtract(i, int(shift), int(at))] = 6;
  ends[i] = i % 64 + 1;
}
