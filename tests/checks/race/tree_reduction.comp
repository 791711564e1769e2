#version 450
// A tree reduction whose last rounds have no barrier, as if a subgroup ran in lockstep. After the
// unrolled last warp in M. Harris, "Optimizing Parallel Reduction in CUDA".
//! debug
//! each BUG = 1 | 0
//! setting check race
//! buffer data u32[128] binding 0 = random(0, 100, 1)
//! buffer total u32[1] binding 1
//! dispatch 1
//! finding race workgroup-memory times $(BUG)
//! expect total = $(BUG) ? @total[0] : sum(k, 0, 128, data[k])
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Total { uint total; };
shared uint terms[128];

void main() {
  uint i = gl_LocalInvocationIndex, mine = data[i];
  terms[i] = mine;
  barrier();
  for (uint step = 64; step > 0; step /= 2) {
    if (i < step) {
      mine += terms[i + step];  // finding
      terms[i] = mine;  // finding
    }
#if BUG
    if (step > 32) barrier();
#else
    barrier();
#endif
  }
  if (i == 0) total = mine;
}
