#version 450
// A 5x3x7 workgroup (the last subgroup is not full) that passes values along each axis.
//! buffer results u32[210] binding 0
//! dispatch 2
//! expect results = ((i % 105 % 5) + 1) % 5 + (((i % 105 / 5 % 3) + 1) % 3) * 10 + (((i % 105 / 15) + 1) % 7) * 100
layout(local_size_x = 5, local_size_y = 3, local_size_z = 7) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };
shared uint stage[7][3][5];

void main() {
  uvec3 id = gl_LocalInvocationID;
  stage[id.z][id.y][id.x] = id.x + 10 * id.y + 100 * id.z;
  barrier();
  uint from_x = stage[id.z][id.y][(id.x + 1) % 5] % 10;
  uint from_y = stage[id.z][(id.y + 1) % 3][id.x] / 10 % 10;
  barrier();
  uint from_z = stage[(id.z + 1) % 7][id.y][id.x] / 100;
  results[gl_WorkGroupID.x * 105 + gl_LocalInvocationIndex] = from_x + 10 * from_y + 100 * from_z;
}
