#version 450
// All invocations store their own number to one word; whose number the others read is chance. After
// Oclgrind's test data-race/local_write_write_race.
//! debug
//! each BUG = 1 | 0
//! setting check race
//! buffer results u32[64] binding 0
//! dispatch 1
//! finding race workgroup-memory times $(BUG)
//! expect results = $(BUG) ? @results[i] : 5
layout(local_size_x = 64) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };
shared uint chosen;

void main() {
  uint i = gl_LocalInvocationIndex;
#if BUG
  chosen = i;  // finding
#else
  if (i == 5) chosen = i;
#endif
  barrier();
  results[i] = chosen;
}
