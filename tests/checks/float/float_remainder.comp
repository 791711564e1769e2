#version 450
// The remainder of floats by a vector with a zero. After GPU-assisted validation's tests of its shader
// sanitizer.
//! debug
//! each BUG ZERO = 1 0 | 0 1
//! setting check float
//! buffer data f32[4] binding 0 = { 7.5, 8, 2, $(ZERO) }
//! buffer results f32[2] binding 1 scratch
//! dispatch 1
//! finding float nan times $(BUG)
//! check @results[0] == 1.5 && ($(BUG) || @results[1] == 0)
layout(local_size_x = 1) in;
layout(binding = 0) readonly buffer Data { vec2 dividend; vec2 divisor; };
layout(binding = 1) writeonly buffer Results { vec2 result; };
void main() {
  result = mod(dividend, divisor);  // finding
}
