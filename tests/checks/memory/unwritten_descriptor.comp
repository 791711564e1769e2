#version 450
// A descriptor in the middle of an array that was never written.
//! debug
//! each BUG PLACE = 1 3 | 0 1
//! require shaderStorageBufferArrayDynamicIndexing
//! setting check memory
//! buffer a u32[32] binding 0 element 0 = 100 + i
//! buffer b u32[32] binding 0 element $(PLACE) = 200 + i
//! buffer c u32[32] binding 0 element 2 = 300 + i
//! buffer results u32[96] binding 1
//! dispatch 1
//! finding memory null-descriptor times $(BUG) "load"
//! expect results = i / 32 == 1 && $(BUG) ? 0 : 100 * (1 + i / 32) + i % 32
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Some { uint values[]; } some[3];
layout(binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  for (uint k = 0; k < 3; ++k) {
    results[32 * k + i] = some[k].values[i];  // finding
  }
}
