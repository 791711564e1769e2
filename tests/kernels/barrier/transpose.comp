#version 450
// A 16x16 tile transposed through shared memory, in a two-dimensional workgroup and grid.
//! buffer data f32[1024] binding 0 = i
//! buffer results f32[1024] binding 1
//! dispatch 2 2
//! expect results = data[(i % 32) * 32 + i / 32]
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };
shared float tile[16][17];

void main() {
  uvec2 id = gl_LocalInvocationID.xy, group = gl_WorkGroupID.xy * 16;
  tile[id.y][id.x] = data[(group.y + id.y) * 32 + group.x + id.x];
  barrier();
  results[(group.x + id.y) * 32 + group.y + id.x] = tile[id.x][id.y];
}
