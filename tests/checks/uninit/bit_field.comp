#version 450
// Ten bits are put into a word without a value, and eleven are taken out. After MemorySanitizer's tests of
// shadows with the precision of bits.
//! debug
//! each BUG BITS = 1 11 | 0 10
//! setting check uninit
//! buffer results u32[64] binding 0 scratch
//! dispatch 1
//! finding uninit uninit-store times $(BUG)
//! check $(BUG) || all_bits(k, 0, 64, @results[k] == k * 7 ? -1 : 0) != 0
layout(local_size_x = 64) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
  uint word;
  word = bitfieldInsert(word, i * 7, 4, 10);
  results[i] = bitfieldExtract(word, 4, BITS);  // finding
}
