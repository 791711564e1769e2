#version 450
// Ifs and loops eight deep, each with its own divergent condition.
//! each OPT = off | on
//! optimize $(OPT)
//! buffer data u32[256] binding 0 = i
//! buffer results u32[256] binding 1
//! dispatch 4
//! expect results = sum(k, 0, 8, count(j, 0, k + 1, ((i >> j) & 1) == 0) == 0 ? 1 << k : 0) * (1 + i % 3)
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x, x = data[i], total = 0;
  for (uint round = 0; round < 1 + x % 3; ++round) {
    if ((x & 1) != 0) {
      total += 1;
      if ((x & 2) != 0) {
        total += 2;
        for (uint once = 0; once < 1; ++once) {
          if ((x & 4) == 0) break;
          total += 4;
          if ((x & 8) != 0) {
            total += 8;
            if ((x & 16) != 0) {
              total += 16;
              do {
                if ((x & 32) == 0) continue;
                total += 32;
                if ((x & 64) != 0) {
                  total += 64;
                  if ((x & 128) != 0) total += 128;
                }
              } while (false);
            }
          }
        }
      }
    }
  }
  results[i] = total;
}
