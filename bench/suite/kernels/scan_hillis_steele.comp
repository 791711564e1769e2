#version 450
// Sums of all elements up to each one, of blocks of 256, each step adding what lies twice as far off.
//! each SPELLING INT FORM = in_place uint 0 | int int 0 | two_buffers uint 1 | two_int int 1
//!+ | while uint 2
//! buffer data u32[1 << 18] binding 0 = random(0, 1000, 1)
//! buffer sums u32[1 << 18] binding 1
//! dispatch 1024
//! peer
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Sums { uint sums[]; };
shared uint values[2][256];

void main() {
  const INT lane = INT(gl_LocalInvocationIndex);
  const uint value = data[gl_GlobalInvocationID.x];
#if FORM == 0
  values[0][lane] = value;
  barrier();
  for (INT step = 1; step < 256; step *= 2) {
    uint sum = values[0][lane];
    if (lane >= step) sum += values[0][lane - step];
    barrier();
    values[0][lane] = sum;
    barrier();
  }
  sums[gl_GlobalInvocationID.x] = values[0][lane];
#elif FORM == 1
  values[0][lane] = value;
  barrier();
  uint from = 0;
  for (INT step = 1; step < 256; step <<= 1) {
    values[1 - from][lane] =
        lane < step ? values[from][lane] : values[from][lane] + values[from][lane - step];
    from = 1 - from;
    barrier();
  }
  sums[gl_GlobalInvocationID.x] = values[from][lane];
#else
  values[0][lane] = value;
  barrier();
  INT step = 1;
  while (step < 256) {
    const uint before = lane >= step ? values[0][lane - step] : 0;
    barrier();
    values[0][lane] += before;
    barrier();
    step <<= 1;
  }
  sums[gl_GlobalInvocationID.x] = values[0][lane];
#endif
}
