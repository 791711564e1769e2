#version 450
// Two indices, of which each leads out of all memory, and both together into an array: robust access is
// about all of the variable. The first one goes past the largest number from one invocation to the next.
//! robust
//! each WHERE = shared_ | buffer_
//! buffer in_memory u32[128] binding 0 = 100 + i
//! buffer results u32[32] binding 1
//! push u32 0xfffffff0
//! dispatch 1
//! expect results = i >= 12 ? 100 + 2 * (i - 12) : 0
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer In { uvec2 in_memory[64]; };
layout(binding = 1) writeonly buffer Results { uint results[32]; };
layout(push_constant) uniform Push { uint part; };
shared uvec2 in_shared[64];
#define shared_ 1
#define buffer_ 2
void main() {
  const uint lane = gl_LocalInvocationIndex;
  in_shared[lane] = 100 + uvec2(2 * lane, 2 * lane + 1);
  in_shared[lane + 32] = uvec2(7);
  barrier();
  const int index = int(0x7ffffffcu + lane);
#if $(WHERE) == shared_
  results[lane] = in_shared[index][part];
#else
  results[lane] = in_memory[index][part];
#endif
}
