#version 450
// An array is written at an index without a value. After Oclgrind's uninitialized_address.
//! debug
//! each BUG = 1 | 0
//! setting check uninit
//! buffer results u32[4] binding 0 scratch
//! dispatch 1
//! finding uninit uninit-address times $(BUG)
//! check $(BUG) || @results[0] == 1 && @results[1] == 2 && @results[2] == 9 && @results[3] == 4
layout(local_size_x = 1) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };
void main() {
  uint numbers[4] = uint[](1, 2, 3, 4);
#if BUG
  uint at;
#else
  uint at = 2;
#endif
  numbers[at % 4] = 9;  // finding
  for (uint k = 0; k < 4; ++k) results[k] = numbers[k];
}
