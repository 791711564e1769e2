#version 450
// MatrixInverse and Determinant.
//! buffer data f32[16] binding 0 = { 4, 1, 0, 2, 0, 3, 1, 0, 1, 0, 5, 1, 0, 2, 0, 6 }
//! buffer results f32[17] binding 1
//! dispatch 1
//! expect results[0..16] = n / 4 == n % 4 ? 1 : 0 within 1e-5 abs
//! expect results[16] = 370 within 1e-5 rel
layout(local_size_x = 1) in;
layout(binding = 0) readonly buffer Data { mat4 data; };
layout(binding = 1) writeonly buffer Results { float results[]; };

void main() {
  mat4 product = inverse(data) * data;
  for (int k = 0; k < 16; ++k) results[k] = product[k / 4][k % 4];
  results[16] = determinant(data);
}
