#version 450
// Array lengths from specialization constants, in shared and in private memory.
//! each LENGTH = 1 | 10 | 64
//! buffer results u32[64] binding 0
//! spec 0 = u32 $(LENGTH)
//! dispatch 1
//! expect results = (i % $(LENGTH)) * 3 + ($(LENGTH) - 1 - i % $(LENGTH)) + 1000 * $(LENGTH)
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint kLength = 4;
layout(binding = 0) writeonly buffer Results { uint results[]; };
shared uint stage[kLength];

void main() {
  uint i = gl_LocalInvocationID.x;
  if (i < kLength) stage[i] = i * 3;
  uint local[kLength];
  for (uint k = 0; k < kLength; ++k) local[k] = kLength - 1 - k;
  barrier();
  results[i] = stage[i % kLength] + local[i % kLength] + 1000 * uint(local.length());
}
