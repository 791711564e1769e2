#version 450
// Every invocation comes to a barrier, but not to the same one. After Oclgrind's test
// barrier/barrier_different_instructions.
//! debug
//! each BUG PLACES = 1 2 | 0 0
//! setting check uniform
//! buffer results u32[64] binding 0
//! dispatch 1
//! finding uniform divergent-barrier times $(PLACES)
//! expect results = $(BUG) && i > 0 ? @results[i] : i == 0 ? 0 : 42 + i
layout(local_size_x = 64) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };
shared uint first;

void main() {
  uint i = gl_LocalInvocationIndex, sum = 0;
#if BUG
  if (i == 0) {
    first = 42;
    barrier();  // finding
  } else {
    barrier();  // finding
    sum = first + i;
  }
#else
  if (i == 0) first = 42;
  barrier();
  if (i != 0) sum = first + i;
#endif
  results[i] = sum;
}
