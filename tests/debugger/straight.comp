#version 450
// Subgroups that do not wait for each other.
//! buffer results u32[128] binding 0
//! debug
//! dispatch 2
layout(local_size_x = 64) in;
layout(binding = 0) buffer Results { uint results[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  results[i] = i;  // the store
}
