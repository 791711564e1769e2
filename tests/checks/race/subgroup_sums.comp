#version 450
// The first invocation of each subgroup adds up what its subgroup stages. The barrier behind it is
// enough for the second step, but nothing orders the first one within a subgroup. After
// compute-sanitizer's sample Racecheck/warp_error.
//! debug
//! each BUG = 1 | 0
//! setting check race
//! require subgroup basic
//! subgroup 32 full
//! buffer data u32[64] binding 0 = random(0, 100, 1)
//! buffer total u32[1] binding 1
//! dispatch 1
//! finding race workgroup-memory times $(BUG)
//! expect total = $(BUG) ? @total[0] : sum(k, 0, 64, data[k] + k)
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Total { uint total; };
shared uint terms[64];
shared uint sums[2];

void main() {
  uint first = gl_SubgroupID * 32, i = first + gl_SubgroupInvocationID;
  terms[i] = data[i] + i;  // finding
#if !BUG
  subgroupBarrier();
#endif
  if (gl_SubgroupInvocationID == 0) {
    uint sum = 0;
    for (uint k = 0; k < 32; ++k) {
      sum += terms[first + k];  // finding
    }
    sums[gl_SubgroupID] = sum;
  }
  barrier();
  if (i == 0) total = sums[0] + sums[1];
}
