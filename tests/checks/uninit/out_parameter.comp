#version 450
// A search leaves its out parameter alone where it finds nothing, and the caller asks for it before it asks
// whether there was anything. After MemorySanitizer's tests of parameters and results.
//! debug
//! each BUG = 1 | 0
//! setting check uninit
//! buffer data u32[64] binding 0 = i * 2
//! buffer results u32[64] binding 1 scratch = 9
//! dispatch 1
//! finding uninit uninit-branch times $(BUG)
//! check $(BUG) || all_bits(k, 0, 64, @results[k] == (k % 2 == 0 && k / 2 > 5 ? 1 : 0) ? -1 : 0) != 0
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };
bool find(uint key, out uint place) {
  for (uint k = 0; k < 64; ++k)
    if (data[k] == key) {
      place = k;
      return true;
    }
  return false;
}
void main() {
  uint i = gl_LocalInvocationID.x;
  uint place;
  bool found = find(i, place);
  uint result = 0;
#if BUG
  if (place > 5)  // finding
    if (found) result = 1;
#else
  if (found)
    if (place > 5) result = 1;
#endif
  results[i] = result;
}
