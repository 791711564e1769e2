#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
// Sums of all elements up to each one, of blocks of 256, of subgroups first.
//! require subgroup arithmetic
//! each SPELLING INT FORM = inclusive uint 0 | exclusive uint 1 | int int 0
//! buffer data u32[1 << 18] binding 0 = random(0, 1000, 1)
//! buffer sums u32[1 << 18] binding 1
//! dispatch 1024
//! peer
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Sums { uint sums[]; };
shared uint totals[256];

void main() {
  const uint value = data[gl_GlobalInvocationID.x];
#if FORM == 0
  uint sum = subgroupInclusiveAdd(value);
#else
  uint sum = subgroupExclusiveAdd(value) + value;
#endif
  if (gl_SubgroupInvocationID == gl_SubgroupSize - 1) totals[gl_SubgroupID] = sum;
  barrier();
  for (INT s = 0; s < INT(gl_SubgroupID); ++s) sum += totals[s];
  sums[gl_GlobalInvocationID.x] = sum;
}
