#version 450
// Indices that go round all 32 bits from one invocation to the next, so that some of them meet in a small
// array; the others are out of bounds, and read nothing.
//! robust
//! each WHERE = shared_ | buffer_
//! buffer in_memory u32[64] binding 0 = 100 + i
//! buffer results u32[32] binding 1
//! dispatch 1
//! expect results = i % 4 == 2 ? 100 + i : 0
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer In { uint in_memory[64]; };
layout(binding = 1) writeonly buffer Results { uint results[32]; };
const uint kFirst = 0x80000000u, kStep = 0x40000001u;
shared uint in_shared[64];
#define shared_ 1
#define buffer_ 2
void main() {
  const uint lane = gl_LocalInvocationIndex;
  in_shared[lane] = 100 + lane;
  in_shared[lane + 32] = 132 + lane;
  barrier();
  uint result = 0;
  const uint index = kFirst + lane * kStep;
#if $(WHERE) == shared_
    result = in_shared[index];
#else
    result = in_memory[index];
#endif
  results[lane] = result;
}
