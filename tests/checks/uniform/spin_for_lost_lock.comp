#version 450
// Invocations take a lock one after the other, and work before the end of the round. Each has to free it.
//! debug
//! each BUG = 1 | 0
//! setting check uniform
//! buffer lock u32[1] binding 0 = 0
//! buffer count u32[1] binding 1 = 0
//! dispatch 1
//! finding uniform spin-lane times $(BUG)
//! expect lock = $(BUG)
//! expect count = $(BUG) ? 1 : 32
layout(local_size_x = 32) in;
layout(binding = 0) coherent buffer Lock { uint lock; };
layout(binding = 1) coherent buffer Count { uint count; };

void main() {
  bool done = false;
  for (uint tries = 0; tries < 200000 && !done; ++tries) {
    uint old = atomicExchange(lock, 1);  // finding
    if (old == 0) {
      memoryBarrierBuffer();
      count += 1;
      memoryBarrierBuffer();
      atomicExchange(lock, BUG);
      done = true;
    }
  }
}
