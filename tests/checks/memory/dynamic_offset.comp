#version 450
// Rounds over a uniform buffer with a dynamic offset, one more than there are rows in the range that
// the descriptor has; the buffer is long enough.
//! debug
//! each BUG = 1 | 0
//! setting check memory
//! buffer rows f32[256] binding 0 uniform range 128 dynamic 256 = i
//! buffer results f32[4] binding 1
//! push u32 8 + $(BUG)
//! dispatch 1
//! finding memory buffer-bounds times $(BUG) "load"
//! expect results = sum(k, 0, 8, 64 + 4 * k + i)
layout(local_size_x = 1) in;
layout(binding = 0) uniform Rows { vec4 rows[16]; };
layout(binding = 1) writeonly buffer Results { vec4 results; };
layout(push_constant) uniform Push { uint count; };

void main() {
  vec4 total = vec4(0);
  for (uint k = 0; k < count; ++k) total += rows[k];  // finding
  results = total;
}
