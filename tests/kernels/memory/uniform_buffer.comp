#version 450
// std140: arrays of scalars with a stride of 16, vec3, matrices, structures.
//! buffer data f32[64] uniform binding 0 = i
//! buffer results f32[16] binding 1 = 0
//! dispatch 1
//! expect results[0..4] = 4 * n
//! expect results[4..7] = 16 + n
//! expect results[7] = 19
//! expect results[8..11] = 20 + n
//! expect results[11..14] = 24 + n
//! expect results[14] = 37
//! expect results[15] = 33
layout(local_size_x = 1) in;
struct Inner {
  float first;
  vec2 second;
};
layout(std140, binding = 0) uniform Data {
  float scalars[4];  // 0, 16, 32, 48
  vec3 vector;       // 64
  float after;       // 76
  mat3 matrix;       // 80: columns at 80, 96, 112
  Inner inner[2];    // 128, 144
};
layout(binding = 1) writeonly buffer Results { float results[]; };

void main() {
  for (int k = 0; k < 4; ++k) results[k] = scalars[k];
  for (int k = 0; k < 3; ++k) {
    results[4 + k] = vector[k];
    results[8 + k] = matrix[0][k];
    results[11 + k] = matrix[1][k];
  }
  results[7] = after;
  results[14] = inner[1].second.x - 1;
  results[15] = inner[0].second.x - 1;
}
