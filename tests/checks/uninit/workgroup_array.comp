#version 450
// One invocation leaves its element of shared memory out, and each reads its own. After Oclgrind's
// uninitialized_local_array.
//! debug
//! each BUG = 1 | 0
//! setting check uninit
//! buffer results f32[64] binding 0 scratch
//! dispatch 1
//! finding uninit uninit-store times $(BUG)
//! check all_bits(k, 0, 64, ($(BUG) && k == 32) || @results[k] == k ? -1 : 0) != 0
layout(local_size_x = 64) in;
layout(binding = 0) writeonly buffer Results { float results[]; };
shared float stage[64];
void main() {
  uint i = gl_LocalInvocationID.x;
#if BUG
  if (i != gl_WorkGroupSize.x / 2) stage[i] = float(i);
#else
  stage[i] = float(i);
#endif
  results[i] = stage[i];  // finding
}
