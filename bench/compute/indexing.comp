#version 450
// Reads and writes by computed indices: INDEXING is 0 for shared memory with one index for all, 1
// for shared memory with an index for each invocation, 2 and 3 for an array of each invocation.
layout(local_size_x = 256) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };
layout(push_constant) uniform Push { uint steps, stride; };
#if INDEXING < 2
shared uint table[1024];
#endif

void main() {
  const uint i = gl_LocalInvocationIndex;
#if INDEXING < 2
  for (uint k = i; k < 1024; k += 256) table[k] = k * k;
#else
  uint table[64];
  for (uint k = 0; k < 64; ++k) table[k] = k * k + i;
#endif
  barrier();
  uint x = i;
  for (uint k = 0; k < steps; ++k) {
#if INDEXING == 0
    x = x * 5 + table[k * stride & 1023];
#elif INDEXING == 1
    x = x * 5 + table[x >> 3 & 1023];
#elif INDEXING == 2
    x = x * 5 + table[k * stride & 63];
    table[k * stride + 7 & 63] = x;
#else
    x = x * 5 + table[x >> 3 & 63];
    table[x >> 9 & 63] = x;
#endif
  }
  results[gl_GlobalInvocationID.x] = x;
}
