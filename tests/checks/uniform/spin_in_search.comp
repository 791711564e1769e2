#version 450
// Each workgroup looks for the least divisor of a number, until it has been told to stop, by a workgroup that comes
// later: most have a prime, and look long. It waits if it does not look at the number.
//! debug
//! each BUG = 1 | 0
//! setting check uniform
//! buffer numbers u32[3] binding 0 = i == 1 ? 15 : 1299709
//! buffer stop u32[1] binding 1 = 0
//! buffer divisors u32[3] binding 2 = 0
//! dispatch 3
//! finding uniform spin-workgroup times $(BUG)
//! expect stop = 1
//! expect divisors = $(BUG) ? 0 : i == 0 ? 1299709 : i == 1 ? 3 : 0
layout(local_size_x = 1) in;
layout(binding = 0) readonly buffer Numbers { uint numbers[]; };
layout(binding = 1) coherent buffer Stop { uint stop; };
layout(binding = 2) writeonly buffer Divisors { uint divisors[]; };

void main() {
  uint g = gl_WorkGroupID.x, number = numbers[g], divisor = 0;
  for (uint d = 2; d < 2000000; ++d) {
    uint stopped = atomicOr(stop, 0);  // finding
    if (stopped != 0) break;
#if !BUG
    if (number % d == 0) {
      divisor = d;
      break;
    }
#endif
  }
  divisors[g] = divisor;
  if (g == 1) atomicOr(stop, 1);
}
