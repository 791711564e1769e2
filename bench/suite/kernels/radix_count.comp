#version 450
// One pass of a radix sort over blocks of 256 keys: stable, by counting the
// values of four bits.
//! each SPELLING INT FORM = for uint 0 | int int 0 | while uint 1
//! buffer keys u32[1 << 17] binding 0 = random(0, 4294967295, 1)
//! buffer sorted u32[1 << 17] binding 1
//! push u32 8
//! dispatch 512
//! peer
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer Keys { uint keys[]; };
layout(binding = 1) writeonly buffer Sorted { uint sorted[]; };
layout(push_constant) uniform Push { uint shift; };
shared uint counts[16 * 256];
shared uint sums[256];

void main() {
  const INT lane = INT(gl_LocalInvocationIndex);
  const uint key = keys[gl_GlobalInvocationID.x];
  // Of each digit and invocation a count, summed up in the order of digits.
  const uint digit = key >> shift & 15;
  for (INT d = 0; d < 16; ++d) counts[d * 256 + lane] = d == INT(digit) ? 1 : 0;
  barrier();
  uint sum = 0;
#if FORM == 1
  INT k = 0;
  while (k < 16) {
    const uint count = counts[lane * 16 + k];
    counts[lane * 16 + k++] = sum;
    sum += count;
  }
#else
  for (INT k = 0; k < 16; ++k) {
    const uint count = counts[lane * 16 + k];
    counts[lane * 16 + k] = sum;
    sum += count;
  }
#endif
  sums[lane] = sum;
  barrier();
  for (INT step = 1; step < 256; step *= 2) {
    uint total = sums[lane];
    if (lane >= step) total += sums[lane - step];
    barrier();
    sums[lane] = total;
    barrier();
  }
  const uint at = digit * 256 + uint(lane);
  const uint chunk = at / 16;
  const uint place = counts[at] + (chunk > 0 ? sums[chunk - 1] : 0);
  sorted[gl_WorkGroupID.x * 256 + place] = key;
}
