#version 450
// A sum over workgroups: each goes through the words of those before it, and waits for one after the other. They are
// numbered by tickets, as those that are waited for must have begun; or the other way round.
//! debug
//! each BUG = 1 | 0
//! setting check uniform
//! buffer words u32[9] binding 0 = i / 8
//! buffer ticket u32[1] binding 1 scratch = 0
//! buffer sums u32[8] binding 2 = 0
//! dispatch 8
//! finding uniform spin-workgroup times $(BUG)
//! expect words = i < 8 ? i + 2 : 1
//! expect sums = $(BUG) ? @sums[i] : sum(k, i + 1, 8, k + 2) + 1
layout(local_size_x = 1) in;
layout(binding = 0) coherent buffer Words { uint words[]; };
layout(binding = 1) coherent buffer Ticket { uint ticket; };
layout(binding = 2) writeonly buffer Sums { uint sums[]; };

void main() {
#if BUG
  uint g = gl_WorkGroupID.x;
#else
  uint g = 7 - atomicAdd(ticket, 1);
#endif
  atomicExchange(words[g], g + 2);
  uint place = g + 1, sum = 0;
  for (uint tries = 0; tries < 300000 && place < 9;) {
    uint word = atomicOr(words[place], 0);  // finding
    if (word != 0) {
      sum += word;
      ++place;
    } else {
      ++tries;
    }
  }
  sums[g] = sum;
}
