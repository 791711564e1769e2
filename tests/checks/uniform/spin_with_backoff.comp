#version 450
// Each invocation takes a lock, which one of its subgroup has that works behind the loop. Between tries it waits a
// little, longer each time, and whether it has the lock is in an array of its own. Right is to work where it was taken.
//! debug
//! each BUG = 1 | 0
//! setting check uniform
//! buffer lock u32[2] binding 0 = 0
//! dispatch 1
//! finding uniform spin-lane times $(BUG)
//! expect lock = $(BUG) ? @lock[i] : 32 * i
layout(local_size_x = 32) in;
layout(binding = 0) coherent buffer Lock { uint lock[]; };

void main() {
  bool has[2] = bool[2](false, false);
  uint delay = 1, mine = gl_LocalInvocationIndex % 2;
  for (uint tries = 0; tries < 300000; ++tries) {
    uint old = atomicCompSwap(lock[0], 0, 1);  // finding
    has[mine] = old == 0;
    if (has[mine]) {
#if !BUG
      atomicAdd(lock[1], 1);
      atomicExchange(lock[0], 0);
#endif
      break;
    }
    for (uint k = 0; k < delay; ++k) memoryBarrierBuffer();
    delay = min(delay * 2, 32);
  }
#if BUG
  atomicAdd(lock[1], 1);
  atomicExchange(lock[0], 0);
#endif
}
