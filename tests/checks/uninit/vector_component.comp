#version 450
// A vector without its second component is split in whole and fraction. After Oclgrind's
// partially_uninitialized_fract.
//! debug
//! each BUG N = 1 2 | 0 0
//! setting check uninit
//! buffer results f32[8] binding 0 scratch
//! dispatch 1
//! finding uninit uninit-store times $(N)
//! check all_bits(k, 0, 8, ($(BUG) && k % 4 == 1) || @results[k] == (k < 4 ? 0.25 : 4) ? -1 : 0) != 0
layout(local_size_x = 1) in;
layout(binding = 0) writeonly buffer Results { vec4 parts; vec4 wholes; };
void main() {
  vec4 f;
  f.xzw = vec3(4.25);
#if !BUG
  f.y = 4.25;
#endif
  parts = fract(f);    // finding
  wholes = floor(f);  // finding
}
