#version 450
// A scan in place with a barrier before the loads of a round, but none between them and its stores.
// After the naive scan in GPU Gems 3, chapter 39, which needs two arrays for that reason.
//! debug
//! each BUG = 1 | 0
//! setting check race
//! buffer data u32[64] binding 0 = random(0, 100, 1)
//! buffer results u32[64] binding 1
//! dispatch 1
//! finding race workgroup-memory times $(BUG)
//! expect results = $(BUG) ? @results[i] : sum(k, 0, i + 1, data[k])
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };
shared uint sums[64];

void main() {
  uint i = gl_LocalInvocationIndex, mine = data[i];
  sums[i] = mine;
  for (uint step = 1; step < 64; step *= 2) {
    barrier();
    if (i >= step) mine += sums[i - step];  // finding
#if !BUG
    barrier();
#endif
    sums[i] = mine;  // finding
  }
  results[i] = mine;
}
