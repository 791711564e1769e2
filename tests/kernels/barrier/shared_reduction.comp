#version 450
// A tree reduction in shared memory: log2(256) barriers in a uniform loop.
//! each OPT = off | on
//! optimize $(OPT)
//! buffer data u32[1024] binding 0 = random(0, 1000000, 1)
//! buffer sums u32[4] binding 1
//! dispatch 4
//! expect sums = sum(k, 0, 256, data[256 * i + k])
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Sums { uint sums[]; };
shared uint partial[256];

void main() {
  uint i = gl_LocalInvocationID.x;
  partial[i] = data[gl_GlobalInvocationID.x];
  barrier();
  for (uint step = 128; step > 0; step /= 2) {
    if (i < step) partial[i] += partial[i + step];
    barrier();
  }
  if (i == 0) sums[gl_WorkGroupID.x] = partial[0];
}
