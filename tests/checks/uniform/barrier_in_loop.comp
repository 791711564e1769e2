#version 450
// The last round has data for some invocations only, and the barrier stands where the data is
// tested for. After compute-sanitizer's sample Synccheck/divergent_threads.
//! debug
//! each BUG = 1 | 0
//! setting check uniform
//! buffer data u32[1008] binding 0 = random(0, 100, 1)
//! buffer total u32[1] binding 1
//! dispatch 1
//! finding uniform divergent-barrier times $(BUG)
//! expect total = $(BUG) ? @total[0] : sum(k, 0, 1008, data[k])
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Total { uint total; };
shared uint sums[64];

void main() {
  uint i = gl_LocalInvocationIndex;
  sums[i] = 0;
  barrier();
  for (uint k = 0; k < 16; ++k) {
    uint at = 64 * k + i;
    if (at < 1008) {
      sums[i] += data[at];
#if BUG
      barrier();  // finding
#endif
    }
#if !BUG
    barrier();
#endif
  }
  if (i == 0) {
    uint sum = 0;
    for (uint k = 0; k < 64; ++k) sum += sums[k];
    total = sum;
  }
}
