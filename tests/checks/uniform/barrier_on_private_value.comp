#version 450
// A function waits at a barrier if a private global variable says so, which each invocation has set
// for itself. After the test errors/json-diagnostics-error-with-notes of Tint.
//! debug
//! each BUG = 1 | 0
//! setting check uniform
//! buffer results u32[64] binding 0
//! dispatch 2
//! finding uniform divergent-barrier times $(BUG)
//! expect results = i % 32
layout(local_size_x = 32) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };
bool waits;

void maybeWait() {
  if (waits) {
    barrier();  // finding
  }
}

void main() {
#if BUG
  waits = gl_LocalInvocationIndex < 20;
#else
  waits = gl_WorkGroupID.x == 1;
#endif
  maybeWait();
  results[gl_GlobalInvocationID.x] = gl_LocalInvocationIndex;
}
