#version 450
// A buffer of a megabyte.
//! buffer data u32[262144] binding 0 = i
//! buffer results u32[32] binding 1
//! debug
//! dispatch 1
layout(local_size_x = 32) in;
layout(binding = 0) buffer Data { uint data[]; };
layout(binding = 1) buffer Results { uint results[]; };
void main() {  // the beginning
  uint i = gl_LocalInvocationIndex;
  results[i] = data[i * 8191];  // the store
}
