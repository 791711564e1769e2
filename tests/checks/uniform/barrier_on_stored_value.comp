#version 450
// Whether there is a barrier depends on a number in a buffer. One for all of the workgroup is
// right, though only who runs it can know; one for each invocation is not. After an example of the
// section on uniformity in the WGSL specification.
//! debug
//! each BUG INDEX = 1 i | 0 0
//! setting check uniform
//! buffer numbers u32[16] binding 0 = i < 9 ? 5 : 0
//! buffer results u32[16] binding 1
//! dispatch 1
//! finding uniform divergent-barrier times $(BUG)
//! expect results = numbers[$(INDEX)] + i
layout(local_size_x = 16) in;
layout(binding = 0) buffer Numbers { uint numbers[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  uint x = numbers[INDEX];
  if (x > 0) {
    barrier();  // finding
  }
  results[i] = x + i;
}
