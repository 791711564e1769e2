#version 450
// A barrier under a condition that is the same for the whole workgroup.
//! buffer data u32[256] binding 0 = random(0, 99, 1)
//! buffer results u32[256] binding 1
//! dispatch 4
//! expect results = (i / 64) % 2 == 0 ? data[i - i % 64 + (i + 1) % 64] : data[i] + 1000
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };
shared uint stage[64];

void main() {
  uint i = gl_LocalInvocationID.x, at = gl_GlobalInvocationID.x;
  uint result = data[at] + 1000;
  if (gl_WorkGroupID.x % 2 == 0) {
    stage[i] = data[at];
    barrier();
    result = stage[(i + 1) % 64];
  }
  results[at] = result;
}
