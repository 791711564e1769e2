#version 450
// A loop that ends where another dimension does: the index leaves an array in the middle of a buffer's
// structure, but not the buffer. After Oclgrind's casted_static_array.
//! debug
//! each BUG = 1 | 0
//! setting check memory
//! buffer data u32[84] binding 0 = i
//! buffer results u32[2] binding 1
//! dispatch 1
//! finding memory array-bounds times $(BUG) "load"
//! expect results[0] = $(BUG) ? @results[0] : sum(k, 0, 5, 14 * k + 3)
//! expect results[1] = 70
layout(local_size_x = 1) in;
layout(binding = 0) readonly buffer Data { uint values[5][7][2]; uint rest[14]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint total = 0;
  for (uint k = 0; k < 5 + BUG; ++k) {
    total += values[k][1][1];  // finding
  }
  results[0] = total;
  results[1] = rest[0];
}
