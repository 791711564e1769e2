#version 450
// A workgroup that is larger than its buffer: the store past the end. After the first example of
// compute-sanitizer's memcheck documentation, and Oclgrind's write_out_of_bounds.
//! debug
//! each BUG = 1 | 0
//! setting check memory
//! buffer results f32[60] binding 0
//! dispatch 1
//! finding memory buffer-bounds times $(BUG) "store"
//! expect results = i
layout(local_size_x = 64) in;
layout(binding = 0) writeonly buffer Results { float results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
#if BUG
  results[i] = float(i);  // finding
#else
  if (i < 60) results[i] = float(i);
#endif
}
