#version 450
// Counts of values below 4096, by atomic additions to memory.
//! each SPELLING INT FORM = if uint 0 | int int 0 | stride uint 1 | 16x16 uint 2
//! buffer values u32[1 << 18] binding 0 = random(0, 4095, 1)
//! buffer counts u32[4096] binding 1 = 0
//! push u32 1 << 18
//! dispatch 1024
//! peer
#if FORM == 2
layout(local_size_x = 16, local_size_y = 16) in;
#else
layout(local_size_x = 256) in;
#endif
layout(binding = 0) readonly buffer Values { uint values[]; };
layout(binding = 1) buffer Counts { uint counts[]; };
layout(push_constant) uniform Push { uint size; };

void main() {
  const INT n = INT(size);
#if FORM == 1
  for (INT i = INT(gl_GlobalInvocationID.x); i < n; i += INT(gl_NumWorkGroups.x * 256))
    atomicAdd(counts[values[i]], 1);
#else
#if FORM == 2
  const INT i = INT(gl_WorkGroupID.x * 256 + gl_LocalInvocationIndex);
#else
  const INT i = INT(gl_GlobalInvocationID.x);
#endif
  if (i < n) atomicAdd(counts[values[i]], 1);
#endif
}
