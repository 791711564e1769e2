#version 450
// More shared memory than maxComputeSharedMemorySize, by a specialization constant.
//! spec 0 = u32 0x10000000
//! buffer data u32[1024] binding 0
//! refuse "[Ww]orkgroup|shared"
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint kLength = 64;
layout(binding = 0) buffer Data { uint data[]; };
shared uint stage[kLength];

void main() {
  stage[gl_LocalInvocationIndex] = data[gl_GlobalInvocationID.x];
  barrier();
  data[gl_GlobalInvocationID.x] = stage[63 - gl_LocalInvocationIndex];
}
