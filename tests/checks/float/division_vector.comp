#version 450
// Division of 64-bit vectors, one component of the divisor is 0. After GPU-assisted validation's tests of its
// shader sanitizer.
//! debug
//! each BUG ZERO = 1 0 | 0 7
//! setting check float
//! require shaderInt64
//! buffer data s64[4] binding 0 = { 3, -2, $(ZERO), 5 }
//! buffer results s64[4] binding 1 scratch
//! dispatch 1
//! finding float division times $(BUG)
//! check @results[0] == 7 && @results[1] == -10 && ($(BUG) || @results[2] == 3) && @results[3] == 4
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 1) in;
layout(binding = 0) readonly buffer Data { i64vec4 data; };
layout(binding = 1) writeonly buffer Results { i64vec4 result; };
void main() {
  result = i64vec4(21, 20, 22, 20) / data;  // finding
}
