#version 450
// Each invocation counts four words up until their sum is large. If it adds nothing, it waits for others who do.
//! debug
//! each BUG = 1 | 0
//! setting check uniform
//! buffer words u32[512] binding 0 = 0
//! buffer sums u32[128] binding 1 = 0
//! dispatch 1
//! finding uniform spin-workgroup times $(BUG)
//! expect words = (1 - $(BUG)) * 140001
//! expect sums = (1 - $(BUG)) * 560000
layout(local_size_x = 128) in;
layout(binding = 0) coherent buffer Words { uint words[]; };
layout(binding = 1) writeonly buffer Sums { uint sums[]; };

void main() {
  uint i = gl_LocalInvocationIndex, sum = 0, tries = 0;
  do {
    sum = 0;
    for (uint k = 0; k < 4; ++k) {
      uint word = atomicAdd(words[k * 128 + i], 1 - BUG);  // finding
      sum += word;
    }
  } while (sum < 560000 && ++tries < 200000);
  sums[i] = sum;
}
