#version 450
// The lower half of a subgroup reads values of the upper half, which is not there in the branch.
//! debug
//! each BUG = 1 | 0
//! setting check uniform
//! require subgroup shuffle
//! subgroup 32 full
//! buffer data u32[32] binding 0 = random(0, 100, 1)
//! buffer results u32[32] binding 1 = 0
//! dispatch 1
//! finding uniform inactive-source times $(BUG)
//! expect results = i >= 16 ? 0 : $(BUG) ? @results[i] : data[i + 16]
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint lane = gl_SubgroupInvocationID, value = data[lane];
#if BUG
  if (lane < 16) {
    results[lane] = subgroupShuffleXor(value, 16);  // finding
  }
#else
  uint other = subgroupShuffleXor(value, 16);
  if (lane < 16) results[lane] = other;
#endif
}
