#version 450
// All workgroups read a word, and one stores to it. Where workgroups run one after the other, each
// with a copy of the word in a cache, nothing is seen. After Oclgrind's test
// data-race/intergroup_hidden_race.
//! debug
//! each BUG TARGET = 1 0 | 0 4
//! setting check race
//! buffer data u32[8] binding 0 = 40 + i
//! buffer results u32[4] binding 1
//! dispatch 4
//! finding race device-memory times $(BUG)
//! expect data = i == $(TARGET) ? 3 : 40 + i
//! expect results = $(BUG) ? @results[i] : 40
layout(local_size_x = 1) in;
layout(binding = 0) buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint g = gl_WorkGroupID.x;
  results[g] = data[0];  // finding
  if (g == 3) data[TARGET] = g;  // finding
}
