#version 450
// One value of shared memory that every subgroup sets, and all change after a barrier: what a subgroup
// has stored is not what it finds there. Close together, so that a load is near the store before it.
//! each SIZE = 1 | 3 | 7
//! spec 0 = u32 $(SIZE)
//! buffer counts u32[4] binding 0
//! subgroup 32
//! dispatch 3 5 $(SIZE)
//! expect counts = i == 3 ? 15 * $(SIZE) : i == 0 ? 3 : i == 1 ? 5 : $(SIZE)
layout(local_size_x = 3, local_size_y = 5) in;
layout(local_size_z_id = 0) in;
layout(binding = 0) writeonly buffer Counts {
  uvec3 size;
  uint sum;
} counts;
shared uint count;
void main() {
  count = 0u;
  groupMemoryBarrier();
  barrier();
  atomicAdd(count, 1u);
  groupMemoryBarrier();
  barrier();
  counts.size = gl_WorkGroupSize;
  counts.sum = count;
}
