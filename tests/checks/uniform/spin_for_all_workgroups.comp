#version 450
// A barrier for the whole dispatch, made of a counter: workgroups that have not started cannot
// arrive. They give up after some tries; right are two dispatches. After S. Xiao and W. Feng,
// "Inter-Block GPU Communication via Fast Barrier Synchronization", which starts no more blocks
// than fit.
//! debug
//! each BUG = 1 | 0
//! setting check uniform
//! buffer arrived u32[1] binding 0 = 0
//! buffer numbers u32[64] binding 1 = 0
//! buffer results u32[64] binding 2 = 0
//! push u32 0
//! dispatch 64
//! push u32 1
//! dispatch 64
//! finding uniform spin-workgroup times $(BUG)
//! expect arrived = 64
//! expect numbers = i * i
//! expect results = $(BUG) ? @results[i] : (63 - i) * (63 - i)
layout(local_size_x = 1) in;
layout(binding = 0) coherent buffer Arrived { uint arrived; };
layout(binding = 1) coherent buffer Numbers { uint numbers[]; };
layout(binding = 2) writeonly buffer Results { uint results[]; };
layout(push_constant) uniform Push { uint step; };

void main() {
  uint g = gl_WorkGroupID.x;
  if (step == 0) {
    numbers[g] = g * g;
    memoryBarrierBuffer();
    atomicAdd(arrived, 1);
#if BUG
    for (uint tries = 0; tries < 1000000; ++tries) {
      if (atomicOr(arrived, 0) == 64) break;  // finding
    }
    memoryBarrierBuffer();
#endif
  }
  if (step == 1 - BUG) results[g] = numbers[63 - g];
}
