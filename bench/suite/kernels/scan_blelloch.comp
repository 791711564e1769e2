#version 450
// Sums of all elements up to each one, of blocks of 256, up and down a tree.
//! each SPELLING INT PADDING = plain uint 0 | int int 0 | padded uint 1
//! buffer data u32[1 << 18] binding 0 = random(0, 1000, 1)
//! buffer sums u32[1 << 18] binding 1
//! dispatch 1024
//! peer
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Sums { uint sums[]; };
#if PADDING == 1
#define AT(i) ((i) + ((i) >> 5))
#else
#define AT(i) (i)
#endif
shared uint values[264];

void main() {
  const INT lane = INT(gl_LocalInvocationIndex);
  const uint value = data[gl_GlobalInvocationID.x];
  values[AT(lane)] = value;
  barrier();
  for (INT step = 1; step < 256; step *= 2) {
    const INT i = (lane + 1) * step * 2 - 1;
    if (i < 256) values[AT(i)] += values[AT(i - step)];
    barrier();
  }
  for (INT step = 64; step > 0; step /= 2) {
    const INT i = (lane + 1) * step * 2 - 1;
    if (i + step < 256) values[AT(i + step)] += values[AT(i)];
    barrier();
  }
  sums[gl_GlobalInvocationID.x] = values[AT(lane)];
}
