#version 450
// A histogram's bin is not set for the largest numbers: the address of an atomic.
//! debug
//! each BUG = 1 | 0
//! setting check uninit
//! buffer data u32[64] binding 0 = i
//! buffer bins u32[4] binding 1 scratch = 0
//! dispatch 1
//! finding uninit uninit-address times $(BUG)
//! check $(BUG) || all_bits(k, 0, 4, @bins[k] == 16 ? -1 : 0) != 0
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) buffer Bins { uint bins[]; };
void main() {
  uint number = data[gl_LocalInvocationID.x];
  uint bin;
  if (number < 16) bin = 0;
  else if (number < 32) bin = 1;
  else if (number < 48) bin = 2;
#if !BUG
  else bin = 3;
#endif
  atomicAdd(bins[bin & 3], 1);  // finding
}
