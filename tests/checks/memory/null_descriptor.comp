#version 450
// A load from a null descriptor without the feature that allows it. After GPU-assisted validation's
// test with a null buffer in its commands.
//! debug
//! each BUG NULL = 1 null | 0 scratch
//! setting check memory
//! buffer bias u32[32] binding 0 $(NULL) = 5
//! buffer results u32[32] binding 1
//! dispatch 1
//! finding memory null-descriptor times $(BUG) "load"
//! expect results = i + ($(BUG) ? 0 : 5)
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Bias { uint bias[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  uint b = bias[i];  // finding
  results[i] = i + b;
}
