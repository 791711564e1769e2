#version 450
// The workgroup that finishes last adds up what all of them stored, without a fence between the
// store and the count of those that are done. After the example of __threadfence() in the CUDA C++
// Programming Guide.
//! debug
//! each BUG = 1 | 0
//! setting check race
//! buffer sums u32[16] binding 0 = 0
//! buffer finished u32[1] binding 1 = 0
//! buffer total u32[1] binding 2
//! dispatch 16
//! finding race device-memory times $(BUG)
//! expect sums = i * i
//! expect finished = 16
//! expect total = $(BUG) ? @total[0] : sum(k, 0, 16, k * k)
layout(local_size_x = 1) in;
layout(binding = 0) coherent buffer Sums { uint sums[]; };
layout(binding = 1) coherent buffer Finished { uint finished; };
layout(binding = 2) writeonly buffer Total { uint total; };

void main() {
  uint g = gl_WorkGroupID.x;
  sums[g] = g * g;  // finding
#if !BUG
  memoryBarrierBuffer();
#endif
  if (atomicAdd(finished, 1) == 15) {
    memoryBarrierBuffer();
    uint sum = 0;
    for (uint k = 0; k < 16; ++k) {
      sum += sums[k];  // finding
    }
    total = sum;
  }
}
