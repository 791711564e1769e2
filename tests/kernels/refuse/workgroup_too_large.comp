#version 450
// More invocations than maxComputeWorkGroupInvocations, by specialization constants.
//! spec 0 = u32 65536
//! spec 1 = u32 64
//! buffer data u32[1024] binding 0
//! refuse "65536|4194304|[Ww]orkgroup|invocations"
layout(local_size_x_id = 0, local_size_y_id = 1) in;
layout(binding = 0) buffer Data { uint data[]; };

void main() { data[gl_GlobalInvocationID.x] = 1; }
