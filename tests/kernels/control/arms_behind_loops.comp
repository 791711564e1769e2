#version 450
// What is left behind a loop that goes from lane to lane by 32, a number of rows of each invocation's own, is read in
// selections behind it: pairs, and a single row; the rows that all have, one fewer for the last ones, or another number
// for each.
//! each OPT = off | on
//! each NAME BOUND = same 39 | tail 38+(i<20) | own i%5*9+i%3
//! optimize $(OPT)
//! buffer row f32[2048] binding 0 = i % 11
//! buffer bounds u32[32] binding 1 = $(BOUND)
//! buffer sums f32[32] binding 2
//! buffer counts u32[32] binding 3
//! dispatch 1
//! expect sums = sum(k, 0, bounds[i], (32 * k + i) % 11)
//! expect counts = (bounds[i] + 2) / 4 * 4 + (bounds[i] % 4 < 2 ? bounds[i] % 2 == 1 ? 1000 : 2000 : 0)
//! remarks "gather" 0 except "robust access" "checked shapes"
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Row { float row[]; };
layout(binding = 1) readonly buffer Bounds { uint bounds[]; };
layout(binding = 2) writeonly buffer Sums { float sums[]; };
layout(binding = 3) writeonly buffer Counts { uint counts[]; };

void main() {
  const uint lane = gl_LocalInvocationID.x;
  uint left = bounds[lane], at = lane, count = 0;
  float sum = 0;
  for (; left >= 4; left -= 4) {
    for (uint c = 0; c < 4; ++c) sum += row[at + 32 * c];
    at += 128;
    count += 4;
  }
  if ((left & 2) != 0) {
    for (uint c = 0; c < 2; ++c) sum += row[at + 32 * c];
    at += 64;
    count += 4;
  } else {
    count += row[at] < 0 ? 1 : (left & 1) != 0 ? 1000 : 2000;
  }
  if ((left & 1) != 0) sum += row[at];
  sums[lane] = sum;
  counts[lane] = count;
}
