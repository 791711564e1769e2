#version 450
// Only the first half of a subgroup has a value, and a shuffle fetches one from the other half.
//! debug
//! each BUG FROM = 1 16 | 0 15
//! setting check uninit
//! require subgroup shuffle
//! subgroup 32 full
//! buffer results u32[32] binding 0 scratch
//! dispatch 1
//! finding uninit uninit-store times $(BUG)
//! check $(BUG) || all_bits(k, 0, 32, @results[k] == 15 - k % 16 + 3 ? -1 : 0) != 0
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = 32) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };
void main() {
  uint i = gl_SubgroupInvocationID;
  uint value;
  if (i < 16) value = i + 3;
  results[i] = subgroupShuffle(value, FROM - i % 16);  // finding
}
