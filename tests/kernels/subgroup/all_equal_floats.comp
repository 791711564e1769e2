#version 450
// subgroupAllEqual compares floats as numbers: zeros of either sign are equal, a NaN equals
// nothing. The same for values that the whole subgroup shares (one) and that it does not (each).
//! require subgroup vote
//! buffer one f32[4] binding 0 = { 0.0, nan, inf, -1.0 }
//! buffer each f32[32] binding 1 = i % 2 ? 0.0 : from_bits_f32(0x80000000)
//! buffer results u32[6] binding 2 = 7
//! dispatch 1
//! expect results = { 1, 0, 1, 1, 1, 0 }
#extension GL_KHR_shader_subgroup_vote : require
layout(local_size_x = 8) in;
layout(binding = 0) readonly buffer One { float one[]; };
layout(binding = 1) readonly buffer Each { float each[]; };
layout(binding = 2) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  for (uint k = 0; k < 4; ++k) results[k] = uint(subgroupAllEqual(one[k]));
  results[4] = uint(subgroupAllEqual(each[i]));
  results[5] = uint(subgroupAllEqual(i == 5 ? one[1] : each[i]));
}
