#version 450
// Counters, one for each invocation, of which there are too few. After Oclgrind's
// atomic_out_of_bounds.
//! debug
//! each BUG = 1 | 0
//! setting check memory
//! buffer counters u32[$(BUG) ? 63 : 64] binding 0 = i
//! dispatch 2
//! finding memory buffer-bounds times $(BUG) "atomic"
//! expect counters = i + 2
layout(local_size_x = 64) in;
layout(binding = 0) buffer Counters { uint counters[]; };

void main() {
  atomicAdd(counters[gl_LocalInvocationID.x], 1);  // finding
}
