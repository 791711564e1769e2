#version 450
// A scan by shuffles from lower lanes. The lowest lanes get something undefined, which a right scan
// does not add: that they ask for it is no error. After the scan by __shfl_up_sync() in the CUDA
// C++ Programming Guide.
//! debug
//! each BUG = 1 | 0
//! setting check uniform
//! require subgroup shuffle_relative
//! subgroup 32 full
//! buffer data u32[32] binding 0 = random(0, 100, 1)
//! buffer results u32[32] binding 1 = 0
//! dispatch 1
//! finding uniform inactive-source times $(BUG)
//! expect results = $(BUG) ? @results[i] : sum(k, 0, i + 1, data[k])
#extension GL_KHR_shader_subgroup_shuffle_relative : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint lane = gl_SubgroupInvocationID, sum = data[lane];
  for (uint step = 1; step < 32; step *= 2) {
    uint lower = subgroupShuffleUp(sum, step);  // finding
#if BUG
    sum += lower;
#else
    if (lane >= step) sum += lower;
#endif
  }
  results[lane] = sum;
}
