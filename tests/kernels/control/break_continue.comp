#version 450
// break and continue that some invocations take and others do not.
//! each OPT = off | on
//! optimize $(OPT)
//! buffer data u32[64] binding 0 = random(0, 40, 1)
//! buffer results u32[64] binding 1
//! dispatch 1
//! expect results = sum(k, 0, min(data[i], 30), k % 3 == 1 ? 0 : k * (i + 1))
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint total = 0;
  for (uint k = 0; k < 30; ++k) {
    if (k == data[i]) break;
    if (k % 3 == 1) continue;
    total += k * (i + 1);
  }
  results[i] = total;
}
