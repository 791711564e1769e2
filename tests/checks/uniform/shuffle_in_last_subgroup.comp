#version 450
// A sum by exchange of lanes in a workgroup whose last subgroup is not full: lanes that do not
// exist are asked for their sums. Right is the operation that knows who is there. After the
// reduction across a warp in the CUDA C++ Programming Guide.
//! debug
//! each BUG = 1 | 0
//! setting check uniform
//! require subgroup shuffle
//! require subgroup arithmetic
//! subgroup 32
//! buffer results u32[40] binding 0 = 0
//! dispatch 1
//! finding uniform inactive-source times $(BUG)
//! expect results = $(BUG) ? @results[i] : i < 32 ? 32 : 8
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 40) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };

void main() {
  uint sum = 1;
#if BUG
  for (uint mask = 16; mask > 0; mask /= 2) {
    sum += subgroupShuffleXor(sum, mask);  // finding
  }
#else
  sum = subgroupAdd(sum);
#endif
  results[gl_LocalInvocationIndex] = sum;
}
