#version 450
// Fewer invocations than a subgroup has.
//! buffer results u32[40] binding 0
//! debug
//! dispatch 2 2
layout(local_size_x = 5, local_size_y = 2) in;
layout(binding = 0) buffer Results { uint results[]; };
void main() {
  uint i = gl_GlobalInvocationID.y * 10 + gl_GlobalInvocationID.x;
  results[i] = i;  // the store
}
