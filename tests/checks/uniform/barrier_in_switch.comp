#version 450
// A barrier in one case of a switch. Which case it is comes from a buffer: the same for a
// workgroup, or not.
//! debug
//! each BUG = 1 | 0
//! setting check uniform
//! buffer cases u32[128] binding 0 = $(BUG) ? i % 3 : i / 64
//! buffer results u32[128] binding 1
//! dispatch 2
//! finding uniform divergent-barrier times $(BUG)
//! expect results = 10 + cases[i]
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Cases { uint cases[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x, result = 0;
  switch (cases[i]) {
    case 0:
      result = 10;
      break;
    case 1:
      barrier();  // finding
      result = 11;
      break;
    default:
      result = 12;
      break;
  }
  results[i] = result;
}
