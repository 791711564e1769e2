#version 450
// A return from two loops deep leaves both, for the invocations that take it.
//! each OPT = off | on
//! optimize $(OPT)
//! buffer data u32[64] binding 0 = random(0, 30, 1)
//! buffer results u32[64] binding 1
//! dispatch 1
//! expect results = data[i] < 25 ? data[i] : 1000
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

uint find(uint wanted) {
  for (uint a = 0; a < 5; ++a) {
    for (uint b = 0; b < 5; ++b) {
      if (a * 5 + b == wanted) return a * 5 + b;
    }
  }
  return 1000;
}

void main() {
  uint i = gl_GlobalInvocationID.x;
  results[i] = find(data[i]);
}
