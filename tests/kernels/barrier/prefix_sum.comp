#version 450
// An inclusive scan: two barriers a round, values in registers across both.
//! each OPT = off | on
//! optimize $(OPT)
//! buffer data u32[128] binding 0 = random(0, 1000, 1)
//! buffer sums u32[128] binding 1
//! dispatch 1
//! expect sums = sum(k, 0, i + 1, data[k])
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Sums { uint sums[]; };
shared uint partial[128];

void main() {
  uint i = gl_LocalInvocationID.x;
  uint value = data[i];
  partial[i] = value;
  barrier();
  for (uint offset = 1; offset < 128; offset *= 2) {
    uint other = i >= offset ? partial[i - offset] : 0;
    barrier();
    value += other;
    partial[i] = value;
    barrier();
  }
  sums[i] = value;
}
