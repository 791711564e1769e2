#version 450
// Columns of a row-major matrix behind an address: their components are a row's stride apart, and
// glslang aligns the access as if they were together.
//! require bufferDeviceAddress
//! buffer matrix f32[8] = i
//! buffer results f32[8] binding 0
//! push u64 &matrix
//! dispatch 1
//! expect results = matrix[i % 4 * 2 + i / 4]
//! expect matrix[1..8 step 2] = 9
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 1) in;
layout(buffer_reference, std430, row_major) buffer M { mat2x4 m; };
layout(push_constant) uniform P { M at; };
layout(binding = 0) buffer Results { vec4 results[2]; };
void main() {
  results[0] = at.m[0];
  results[1] = at.m[1];
  at.m[1] = vec4(9);
}
