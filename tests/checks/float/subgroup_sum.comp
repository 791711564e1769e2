#version 450
// The sum over a subgroup of numbers of which each is in range.
//! debug
//! each BUG EXPONENT = 1 2e37 | 0 1e37
//! setting check float
//! require subgroup arithmetic
//! subgroup 32 full
//! buffer data f32[32] binding 0 = $(EXPONENT)
//! buffer results f32[1] binding 1 scratch
//! dispatch 1
//! finding float infinity times $(BUG)
//! check $(BUG) || abs(@results[0] / 3.2e38 - 1) < 0.00001
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Results { float result; };
void main() {
  float sum = subgroupAdd(data[gl_SubgroupInvocationID]);  // finding
  if (gl_SubgroupInvocationID == 0) result = sum;
}
