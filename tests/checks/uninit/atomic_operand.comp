#version 450
// Counts what each invocation found, also of those that found nothing and set no count.
//! debug
//! each BUG = 1 | 0
//! setting check uninit
//! buffer data u32[64] binding 0 = i % 4
//! buffer total u32[1] binding 1 scratch = 0
//! dispatch 1
//! finding uninit uninit-atomic times $(BUG)
//! check $(BUG) || @total[0] == 96
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) buffer Total { uint total; };
void main() {
  uint i = gl_LocalInvocationID.x;
#if BUG
  uint count;
#else
  uint count = 0;
#endif
  if (data[i] != 0) count = data[i];
  atomicAdd(total, count);  // finding
}
