#version 450
// Two dispatches with a barrier between; the second sees what the first wrote, and has other push
// constants and another specialization.
//! buffer a u32[64] binding 0 = i
//! buffer b u32[64] binding 1 = 0
//! spec 0 = u32 3
//! push u32 0
//! dispatch 1
//! spec 0 = u32 10
//! push u32 1
//! dispatch 1
//! expect b = 3 * (63 - i)
//! expect a = 10 * 3 * i
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint kFactor = 1;
layout(push_constant) uniform Push { uint second; };
layout(binding = 0) buffer A { uint a[]; };
layout(binding = 1) buffer B { uint b[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (second == 0) {
    b[63 - i] = a[i] * kFactor;
  } else {
    a[i] = b[63 - i] * kFactor;
  }
}
