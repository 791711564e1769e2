#version 450
// Sums of two buffers of which one is shorter: the load past its end, in the branch of only some
// invocations. After Oclgrind's read_out_of_bounds.
//! debug
//! each BUG = 1 | 0
//! setting check memory
//! buffer a u32[32] binding 0 = 3 * i
//! buffer b u32[$(BUG) ? 28 : 32] binding 1 = 5 * i
//! buffer results u32[32] binding 2
//! dispatch 4
//! finding memory buffer-bounds times $(BUG) "load"
//! expect results[0..16] = 8 * i
//! expect results[16..28] = 45 * (8 * i)
//! expect results[28..32] = 45 * ($(BUG) ? 3 * i : 8 * i)
layout(local_size_x = 8) in;
layout(binding = 0) readonly buffer A { uint a[]; };
layout(binding = 1) readonly buffer B { uint b[]; };
layout(binding = 2) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < 16) {
    results[i] = a[i] + b[i];
  } else {
    uint right = b[i];  // finding
    results[i] = a[15] * (a[i] + right);
  }
}
