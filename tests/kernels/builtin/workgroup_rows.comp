#version 450
// Workgroups of several rows, of which several run at once: each invocation once, in grids that are longer
// than what runs at once, with a base, and with a last subgroup that is not full.
//! each X Y Z = 16 16 1 | 8 8 1 | 4 4 4 | 1 64 1 | 5 7 2 | 3 40 1
//! each COUNT = 1 | 45 | 700
//! buffer seen u32[$(COUNT) * 2 * 2 * $(X) * $(Y) * $(Z)] binding 0 = 0
//! buffer sum u32[$(COUNT) * 2 * 2 * $(X) * $(Y) * $(Z)] binding 1 = 1
//! dispatch $(COUNT) 2 2 base 3 1 0
//! expect seen = i
//! expect sum = 1 + i % $(X)
layout(local_size_x = X, local_size_y = Y, local_size_z = Z) in;
layout(binding = 0) buffer Seen { uint seen[]; };
layout(binding = 1) buffer Sum { uint sum[]; };
void main() {
  const uvec3 at = gl_GlobalInvocationID - uvec3(3, 1, 0) * gl_WorkGroupSize;
  const uint width = COUNT * X, height = 2 * Y;
  const uint number = (at.z * height + at.y) * width + at.x;
  seen[number] = number;
  sum[number] += gl_LocalInvocationID.x;
}
