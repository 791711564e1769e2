#version 450
// A sum and a product of words whose upper halves have no value: the lower half of a result has one, a bit above
// has none. After MemorySanitizer's tests of additions.
//! debug
//! each BUG MASK = 1 0x1ffff | 0 0xffff
//! setting check uninit
//! buffer results u32[64] binding 0 scratch
//! dispatch 1
//! finding uninit uninit-store times $(BUG)
//! check $(BUG) || all_bits(k, 0, 64, @results[k] == k * 8 + k * k * 3 ? -1 : 0) != 0
layout(local_size_x = 64) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
  uint word;
  word = bitfieldInsert(word, i, 0, 16);
  results[i] = (word * 8 + word * word * 3) & MASK;  // finding
}
