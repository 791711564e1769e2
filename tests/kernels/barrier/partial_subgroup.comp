#version 450
// The last subgroup of the workgroup has invocations that do not exist.
//! each SIZE = 1 | 5 | 31 | 33 | 50 | 100
//! buffer data u32[300] binding 0 = random(0, 1000, 1)
//! buffer results u32[300] binding 1 = 0
//! spec 0 = u32 $(SIZE)
//! dispatch 3
//! expect results[0..$(SIZE) * 3] = data[(i / $(SIZE)) * $(SIZE) + $(SIZE) - 1 - i % $(SIZE)]
layout(local_size_x_id = 0) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };
shared uint stage[128];

void main() {
  uint i = gl_LocalInvocationID.x;
  stage[i] = data[gl_GlobalInvocationID.x];
  barrier();
  results[gl_GlobalInvocationID.x] = stage[gl_WorkGroupSize.x - 1 - i];
}
