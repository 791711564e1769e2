#version 450
// A counter that all invocations of all workgroups step on, with the old value used: every place
// is given to one invocation, and the steps do not overlap.
//! each STEP AMOUNT = one 1 | same 3 | varying (1+i%4)
//! each LIVE CONDITION = all (i>=0) | divergent (i%3!=1)
//! each SIZE = 8 | 32 | 64
//! subgroup $(SIZE)
//! buffer counter u32[1] binding 0 = 5
//! buffer owner u32[12005] binding 1 = 0
//! buffer place u32[4000] binding 2 = 0
//! dispatch 40
//! expect counter = 5 + sum(i, 0, 4000, $(CONDITION) ? $(AMOUNT) : 0)
//! expect place = @place[i]
//! expect owner = @owner[i]
//! check product(i, 0, 4000, !$(CONDITION) || @owner[@place[i]] == i + 1)
//! check product(i, 0, 4000, !$(CONDITION) || @owner[@place[i] + $(AMOUNT) - 1] == i + 1)
//! check sum(i, 0, 12005, @owner[i] != 0) == @counter[0] - 5
layout(local_size_x = 100) in;
layout(binding = 0) buffer Counter { uint counter; };
layout(binding = 1) buffer Owner { uint owner[]; };
layout(binding = 2) writeonly buffer Place { uint place[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (CONDITION) {
    uint step = AMOUNT;
    uint first = atomicAdd(counter, step);
    place[i] = first;
    for (uint k = 0; k < step; ++k) owner[first + k] = i + 1;
  }
}
