#version 450
// A vector that is partly outside is outside: it reads as 0 and nothing of it is written.
//! require robustBufferAccess2
//! robust
//! each NAME WIDTH = uniform 1 | varying 2
//! buffer data u32[16] binding 0 range 40 = 1 + i
//! buffer results u32[16] binding 1
//! buffer target u32[16] binding 2 range 24 = 7
//! dispatch 1
//! expect results = i < 8 ? 1 + i : 0
//! expect target = i < 4 ? 1 : 7
layout(local_size_x = 4) in;
layout(binding = 0) readonly buffer Data { uvec4 data[]; };
layout(binding = 1) writeonly buffer Results { uvec4 results[]; };
layout(binding = 2) writeonly buffer Target { uvec4 target[]; };


void main() {
  uint i = gl_LocalInvocationIndex;
  if (WIDTH == 1) {
    for (uint k = 0; k < 4; ++k) {
      results[k] = data[k];
      target[k] = uvec4(1);
    }
  } else {
    results[i] = data[i];
    target[i] = uvec4(1);
  }
}
