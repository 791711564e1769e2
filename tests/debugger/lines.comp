#version 450
// Names and lines alone (OpName, OpLine).
//! buffer results u32[64] binding 0
//! debug lines
//! dispatch 2
//! expect results[0..64] = i * i + 3
layout(local_size_x = 32) in;
layout(binding = 0) buffer Results { uint results[]; };
shared uint three;

uint squared(uint number) {
  uint product = number * number;
  return product;  // in the function
}

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint sum = squared(i);
  if (gl_LocalInvocationID.x == 0) three = 3;
  barrier();
  sum += three;
  results[i] = sum;  // the store
}
