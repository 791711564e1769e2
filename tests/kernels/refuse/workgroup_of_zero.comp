#version 450
// A workgroup without invocations.
//! spec 0 = u32 0
//! buffer data u32[1024] binding 0
//! refuse "[Ww]orkgroup|LocalSize|0"
layout(local_size_x_id = 0) in;
layout(binding = 0) buffer Data { uint data[]; };

void main() { data[gl_GlobalInvocationID.x] = 1; }
