#version 450
// The first workgroup waits until all have set their flags, which it looks at in an inner loop, by a function that
// leaves early. Some have done so before. Right is that the last one goes on.
//! debug
//! each BUG = 1 | 0
//! setting check uniform
//! buffer flags u32[8] binding 0 = i % 2
//! buffer arrived u32[1] binding 1 scratch = 0
//! buffer results u32[1] binding 2 = 0
//! dispatch 8
//! finding uniform spin-workgroup times $(BUG)
//! expect flags = 1
//! expect results = $(BUG) ? @results[i] : 9
layout(local_size_x = 1) in;
layout(binding = 0) coherent buffer Flags { uint flags[]; };
layout(binding = 1) coherent buffer Arrived { uint arrived; };
layout(binding = 2) writeonly buffer Results { uint results[]; };

bool areSet() {
  for (uint k = 0; k < 8; ++k) {
    uint value = atomicAdd(flags[k], 0);  // finding
    if (value == 0) return false;
  }
  return true;
}

void main() {
  atomicOr(flags[gl_WorkGroupID.x], 1);
  bool all = false;
#if BUG
  if (gl_WorkGroupID.x == 0) {
    uint tries = 0;
    do {
      all = areSet();
    } while (!all && ++tries < 300000);
  }
#else
  if (atomicAdd(arrived, 1) == 7) all = areSet();
#endif
  if (all) results[0] = 9;
}
