#version 450
// Variables of which only parts have a value: those keep it, the others have some.
//! buffer first u32[64] binding 0
//! buffer second u32[64] binding 1
//! buffer ends u32[64] binding 2
//! dispatch 1
//! expect first = i
//! expect second = i < 32 ? i * 2 : 5
//! expect ends = 1
layout(local_size_x = 64) in;
layout(binding = 0) buffer First { uint first[]; };
layout(binding = 1) buffer Second { uint second[]; };
layout(binding = 2) buffer Ends { uint ends[]; };
struct Pair { uint a; uvec4 b; uint c[6]; };
Pair global;
void main() {
  const uint i = gl_LocalInvocationID.x;
  Pair pair;
  pair.a = i;
  pair.b.z = i * 2;
  pair.c[i % 6] = 5;
  first[i] = pair.a;
  second[i] = i < 32 ? pair.b.z : pair.c[i % 6];
  if (pair.b.x + pair.c[(i + 1) % 6] == 3) global.a = pair.b.y;
  uvec3 ratio = uvec3(i) / pair.b.xyw;
  ends[i] = 1;
  if (global.a / global.c[2] > ratio.x) ends[i] = 1;
}
