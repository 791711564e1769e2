#version 450
// The direction from a particle to itself.
//! debug
//! each BUG = 1 | 0
//! setting check float
//! buffer places f32[32] binding 0 = i / 4 * 3
//! buffer results f32[8] binding 1 scratch
//! dispatch 1
//! finding float nan times $(BUG)
//! check all_bits(k, 0, 8, ($(BUG) && k == 2)
//!+  || abs(@results[k] - (k == 2 ? 0 : k < 2 ? 0.57735 : -0.57735)) < 0.001 ? -1 : 0) != 0
layout(local_size_x = 8) in;
layout(binding = 0) readonly buffer Places { vec3 places[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
  vec3 difference = places[2] - places[i];
#if BUG
  vec3 direction = normalize(difference);  // finding
#else
  vec3 direction = vec3(0.0);
  if (i != 2) direction = normalize(difference);
#endif
  results[i] = direction.x;
}
