#version 450
// An array is filled in the order of a list that names one element twice. After Oclgrind's
// uninitialized_private_array.
//! debug
//! each BUG LAST = 1 2 | 0 3
//! setting check uninit
//! buffer order u32[4] binding 0 = { 0, 1, 2, $(LAST) }
//! buffer results f32[4] binding 1 scratch
//! dispatch 1
//! finding uninit uninit-store times $(BUG)
//! check @results[0] == 0 && @results[1] == 1 && ($(BUG) || @results[2] == 2 && @results[3] == 3)
layout(local_size_x = 1) in;
layout(binding = 0) readonly buffer Order { uint order[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };
void main() {
  float scratch[4];
  for (uint k = 0; k < 4; ++k) scratch[order[k]] = float(k);
  for (uint k = 0; k < 4; ++k) results[k] = scratch[k];  // finding
}
