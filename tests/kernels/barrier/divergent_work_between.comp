#version 450
// Divergent loops and ifs between barriers, with results that the others read.
//! buffer data u32[96] binding 0 = random(0, 20, 1)
//! buffer results u32[96] binding 1
//! dispatch 1
//! expect results = data[(i + 32) % 96] % 2 == 0
//!+  ? data[(i + 32) % 96] * (data[(i + 32) % 96] + 1) / 2 : 1000 + data[(i + 32) % 96]
layout(local_size_x = 96) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };
shared uint stage[96];

void main() {
  uint i = gl_LocalInvocationID.x, x = data[i];
  if (x % 2 == 0) {
    uint total = 0;
    for (uint k = 0; k <= x; ++k) total += k;
    stage[i] = total;
  } else {
    stage[i] = 1000 + x;
  }
  barrier();
  results[i] = stage[(i + 32) % 96];
}
