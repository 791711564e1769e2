#version 450
// The workgroup's size from three specialization constants.
//! buffer results u32[120] binding 0 = 0
//! spec 10 = u32 5
//! spec 11 = u32 4
//! spec 12 = u32 3
//! dispatch 2
//! expect results = 543000 + i % 60 + 1000000 * (i / 60)
layout(local_size_x_id = 10, local_size_y_id = 11, local_size_z_id = 12) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };

void main() {
  uvec3 size = gl_WorkGroupSize, id = gl_LocalInvocationID;
  uint index = (id.z * size.y + id.y) * size.x + id.x;
  results[gl_WorkGroupID.x * 60 + index] =
      size.x * 100000 + size.y * 10000 + size.z * 1000 + index + gl_WorkGroupID.x * 1000000;
}
