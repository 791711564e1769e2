#version 450
// A lock is taken with an expected value from shared memory that nobody set.
//! debug
//! each BUG = 1 | 0
//! setting check uninit
//! buffer lock u32[1] binding 0 scratch = 0
//! dispatch 1
//! finding uninit uninit-atomic times $(BUG)
//! check $(BUG) || @lock[0] == 1
layout(local_size_x = 1) in;
layout(binding = 0) buffer Lock { uint lock; };
shared uint expected;
void main() {
#if !BUG
  expected = 0;
#endif
  atomicCompSwap(lock, expected, 1);  // finding
}
