#version 450
// A structure that is set in part is copied through a function, an array and shared memory; what the twin
// takes out at the end is the part that was set.
//! debug
//! each BUG = 1 | 0
//! setting check uninit
//! buffer results u32[64] binding 0 scratch = 9
//! dispatch 1
//! finding uninit uninit-branch times $(BUG)
//! check $(BUG) || all_bits(k, 0, 64, @results[k] == (k > 10 ? 1 : 2) ? -1 : 0) != 0
layout(local_size_x = 64) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };
struct Entry { uint key; uvec3 values; uint next; };
shared Entry table[64];
Entry made(uint key) {
  Entry entry;
  entry.key = key;
  entry.values.y = key * 2;
  return entry;
}
void main() {
  uint i = gl_LocalInvocationID.x;
  Entry entries[2];
  entries[1] = made(i);
  entries[0] = entries[1];
  table[i] = entries[0];
  barrier();
  Entry other = table[63 - i];
#if BUG
  uint found = other.values.x;
#else
  uint found = 63 - other.values.y / 2;
#endif
  uint result = 2;
  if (found > 10) result = 1;  // finding
  results[i] = result;
}
