#version 450
// A divisor without a value has some value. The division gives anything then, and what is stored
// where it says may go anywhere in the buffer or nowhere; the code around it runs.
//! robust
//! buffer anywhere u32[64] binding 0 scratch
//! buffer sums u32[64] binding 1
//! require shaderInt64
//! dispatch 1
//! expect sums = i + 7
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer Anywhere { uint anywhere[]; };
layout(binding = 1) buffer Sums { uint sums[]; };
void main() {
  const uint i = gl_LocalInvocationID.x;
  uint divisor;
  anywhere[64u % divisor] = 5u;
  int signed_divisor;
  anywhere[i % uint(7 / signed_divisor)] = 6u;
  uint64_t wide;
  anywhere[uint(uint64_t(i) / wide)] = 7u;
  uint some;
  if (i % 3 == 0) some = i;
  anywhere[i / some] = 8u;
  anywhere[uint(uint64_t(i) % uint64_t(some))] = 9u;
  sums[i] = i + 7;
}
