#version 450
// One invocation adds up what the whole workgroup stages, without a barrier between. After
// compute-sanitizer's sample Racecheck/block_error.
//! debug
//! each BUG = 1 | 0
//! setting check race
//! buffer data u32[128] binding 0 = random(0, 100, 1)
//! buffer total u32[1] binding 1
//! dispatch 1
//! finding race workgroup-memory times $(BUG)
//! expect total = $(BUG) ? @total[0] : sum(k, 0, 128, data[k] + k)
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Total { uint total; };
shared uint terms[128];

void main() {
  uint i = gl_LocalInvocationIndex;
  terms[i] = data[i] + i;  // finding
#if !BUG
  barrier();
#endif
  if (i == 0) {
    uint sum = 0;
    for (uint k = 0; k < 128; ++k) {
      sum += terms[k];  // finding
    }
    total = sum;
  }
}
