#version 450
// continue and return from inside a switch in a loop.
//! each OPT = off | on
//! optimize $(OPT)
//! buffer data u32[64] binding 0 = random(0, 0xffff, 1)
//! buffer results s32[64] binding 1
//! dispatch 1
//! expect results = count(k, 0, 8, count(j, 0, k + 1, ((data[i] >> (2 * j)) & 3) == 3) > 0) > 0
//!+  ? -sum(k, 0, 8, count(j, 0, k + 1, ((data[i] >> (2 * j)) & 3) == 3) > 0 ? 0 : 1)
//!+  : sum(k, 0, 8, ((data[i] >> (2 * k)) & 3) == 0 ? 0 : ((data[i] >> (2 * k)) & 3) == 1 ? 11 : 110)
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { int results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  int total = 0;
  for (int k = 0; k < 8; ++k) {
    switch (data[i] >> (2 * k) & 3) {
      case 0:
        continue;
      case 1:
        total += 1;
        break;
      case 2:
        total += 100;
        break;
      case 3:
        results[i] = -k;
        return;
    }
    total += 10;
  }
  results[i] = total;
}
