#version 450
// A negative number to the power of 2.5. After GPU-assisted validation's tests of its shader sanitizer.
//! debug
//! each BUG = 1 | 0
//! setting check float
//! buffer data f32[8] binding 0 = i - 4
//! buffer results f32[8] binding 1 scratch
//! dispatch 1
//! finding float nan times $(BUG)
//! check $(BUG) || all_bits(k, 0, 8, abs(@results[k] - pow(abs(k - 4), 2.5)) < 0.001 ? -1 : 0) != 0
layout(local_size_x = 8) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
#if BUG
  results[i] = pow(data[i], 2.5);  // finding
#else
  results[i] = pow(abs(data[i]), 2.5);
#endif
}
