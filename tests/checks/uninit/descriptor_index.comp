#version 450
// Which buffer of an array of descriptors is written has no value.
//! debug
//! each BUG = 1 | 0
//! setting check uninit
//! require shaderStorageBufferArrayDynamicIndexing
//! buffer left u32[4] binding 0 element 0 scratch = 5
//! buffer right u32[4] binding 0 element 1 scratch = 5
//! dispatch 1
//! finding uninit uninit-address times $(BUG)
//! check $(BUG) || @left[2] == 5 && @right[2] == 8
layout(local_size_x = 1) in;
layout(binding = 0) buffer Side { uint numbers[4]; } sides[2];
void main() {
  uint which;
#if !BUG
  which = 1;
#endif
  sides[which & 1].numbers[2] = 8;  // finding
}
