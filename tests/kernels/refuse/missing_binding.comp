#version 450
// The shader uses a binding that the pipeline's layout does not have.
//! buffer data u32[64] binding 0
//! refuse "binding 3"
layout(local_size_x = 64) in;
layout(binding = 0) buffer Data { uint data[]; };
layout(binding = 3) readonly buffer Other { uint other[]; };

void main() { data[gl_GlobalInvocationID.x] = other[gl_GlobalInvocationID.x]; }
