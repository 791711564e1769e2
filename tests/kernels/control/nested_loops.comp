#version 450
// Loops in loops with bounds of their own; the inner break leaves the outer loop running.
//! each OPT = off | on
//! optimize $(OPT)
//! buffer data u32[64] binding 0 = random(0, 9, 1)
//! buffer results u32[64] binding 1
//! dispatch 1
//! expect results = sum(a, 0, data[i], sum(b, 0, min(a + 1, 5), a * 10 + b))
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint total = 0;
  for (uint a = 0; a < data[i]; ++a) {
    for (uint b = 0; b <= a; ++b) {
      if (b == 5) break;
      total += a * 10 + b;
    }
  }
  results[i] = total;
}
