#version 450
// The binding in the pipeline's layout is of uniform buffers, the shader's of storage buffers.
//! buffer data u32[64] binding 0 uniform
//! refuse "the pipeline layout has another descriptor type for binding 0 in set 0"
layout(local_size_x = 64) in;
layout(binding = 0) buffer Data { uint data[]; };

void main() { data[gl_LocalInvocationID.x] = 1; }
