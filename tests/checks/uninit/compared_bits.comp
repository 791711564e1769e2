#version 450
// A word of which only the highest byte has a value is compared: with numbers of which that byte tells enough in
// the twin, and of which it does not.
//! debug
//! each BUG LIMIT = 1 0x5000010 | 0 0x5000000
//! setting check uninit
//! buffer results u32[64] binding 0 scratch = 9
//! dispatch 1
//! finding uninit uninit-branch times $(BUG)
//! check $(BUG) || all_bits(k, 0, 64, @results[k] == (k % 8 < 5 ? 1 : 0) ? -1 : 0) != 0
layout(local_size_x = 64) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
  uint word;
  word = (word & 0xffffff) | (i % 8) << 24;
  int number = int(word);
  uint result = 0;
  if (word < LIMIT) result = 1;  // finding
  if (number < 0) result = 2;
  if (word == 0x9000000) result = 3;
  results[i] = result;
}
