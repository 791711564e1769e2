#version 450
// Each workgroup waits for the flag of the one behind it, in a loop that tests at its end, whether the flag is there and
// then whether it has tried often enough. Right is to wait for the one before, by tickets.
//! debug
//! each BUG = 1 | 0
//! setting check uniform
//! buffer flags u32[9] binding 0 = i / 8
//! buffer ticket u32[1] binding 1 scratch = 0
//! dispatch 8
//! finding uniform spin-workgroup times $(BUG)
//! expect flags = i < 8 ? 7 : 1
layout(local_size_x = 1) in;
layout(binding = 0) coherent buffer Flags { uint flags[]; };
layout(binding = 1) coherent buffer Ticket { uint ticket; };

void main() {
#if BUG
  uint g = gl_WorkGroupID.x;
#else
  uint g = 7 - atomicAdd(ticket, 1);
#endif
  uint tries = 0, value = 0;
  do {
    value = atomicOr(flags[g + 1], 0);  // finding
  } while (!(value != 0) && ++tries < 1000000);
  atomicExchange(flags[g], 7);
}
