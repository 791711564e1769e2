#version 450
// The shader's array is longer than the binding in the pipeline's layout.
//! buffer first u32[64] binding 0 element 0
//! buffer second u32[64] binding 0 element 1
//! refuse "the pipeline layout has 2 descriptors for binding 0 in set 0, which is declared with 3"
layout(local_size_x = 64) in;
layout(binding = 0) buffer Data { uint data[]; } all[3];

void main() { all[gl_WorkGroupID.x].data[gl_LocalInvocationID.x] = 1; }
