#version 450
// Elements of arrays, components of vectors and columns of matrices as inout arguments and as
// targets with indices that differ between invocations.
//! buffer data u32[64] binding 0 = random(0, 2, 1)
//! buffer results f32[192] binding 1
//! dispatch 1
//! expect results[0..192 step 3] = data[n] == 0 ? 11 : 1
//! expect results[1..192 step 3] = 2 + (data[n] == 1 ? 20 : 0)
//! expect results[2..192 step 3] = data[n] == 2 ? 105 : 5
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };

void add(inout float x, float amount) { x += amount; }

void main() {
  uint i = gl_GlobalInvocationID.x, at = data[i];
  float array[3] = {1, 0, 0};
  vec3 vector = vec3(0, 2, 0);
  mat3 matrix = mat3(5);
  add(array[at], 10);
  add(vector[at], 20);
  matrix[at][at] += 100;
  results[3 * i] = array[0];
  results[3 * i + 1] = vector.y;
  results[3 * i + 2] = matrix[2][2];
}
