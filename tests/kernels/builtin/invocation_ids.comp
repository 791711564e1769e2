#version 450
// All ids of a three-dimensional grid of three-dimensional workgroups.
//! buffer places u32[288] binding 0
//! buffer groups u32[288] binding 1
//! buffer locals u32[288] binding 2
//! dispatch 3 2 2
//! expect places = i
//! expect groups = (i % 12) / 4 + 10 * ((i / 12) % 6 / 3) + 100 * (i / 72 / 2) + 3220000
//! expect locals = (i % 4) + 4 * ((i / 12) % 3) + 12 * ((i / 72) % 2)
layout(local_size_x = 4, local_size_y = 3, local_size_z = 2) in;
layout(binding = 0) writeonly buffer Places { uint places[]; };
layout(binding = 1) writeonly buffer Groups { uint groups[]; };
layout(binding = 2) writeonly buffer Locals { uint locals[]; };

void main() {
  uvec3 id = gl_GlobalInvocationID, count = gl_NumWorkGroups, size = count * gl_WorkGroupSize;
  uint at = (id.z * size.y + id.y) * size.x + id.x;
  places[at] = at;
  uvec3 group = gl_WorkGroupID;
  groups[at] = group.x + 10 * group.y + 100 * group.z + 1000000 * count.x + 100000 * count.y + 10000 * count.z;
  uvec3 local = gl_LocalInvocationID;
  locals[at] = local.x + 4 * local.y + 12 * local.z == gl_LocalInvocationIndex ? gl_LocalInvocationIndex : 999;
}
