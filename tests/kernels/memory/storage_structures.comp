#version 450
// std430: an array of structures with nested arrays, vectors and matrices, read and written whole
// and by member.
//! buffer data f32[160] binding 0 = random(-9, 9, 1)
//! buffer copies f32[160] binding 1
//! buffer sums f32[8] binding 2
//! dispatch 1
//! expect copies[0..160 step 20] = data[20 * n] + 1
//! expect copies[2..160 step 20] = data[20 * n + 2]
//! expect copies[3..160 step 20] = data[20 * n + 3]
//! expect copies[4..160 step 20] = data[20 * n + 4]
//! expect copies[8..160 step 20] = data[20 * n + 8]
//! expect copies[11..160 step 20] = data[20 * n + 11]
//! expect copies[15..160 step 20] = data[20 * n + 15]
//! expect copies[16..160 step 20] = data[20 * n + 16]
//! expect copies[19..160 step 20] = data[20 * n + 19]
//! expect sums = sum(k, 0, 3, data[20 * i + 4 + k]) + data[20 * i + 8 + 2 * 1 + i % 2] + data[20 * i + 16 + 1 * 2]
layout(local_size_x = 8) in;
struct Element {
  float scalar;   // 0
  vec2 pair;      // 8
  vec3 triple;    // 16
  vec2 array[4];  // 32
  mat2 matrix;    // 64
};                // 80
layout(std430, binding = 0) readonly buffer Data { Element data[]; };
layout(std430, binding = 1) writeonly buffer Copies { Element copies[]; };
layout(std430, binding = 2) writeonly buffer Sums { float sums[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  Element element = data[i];
  element.scalar += 1;
  copies[i] = element;
  vec3 t = data[i].triple;
  sums[i] = t.x + t.y + t.z + data[i].array[1][i % 2] + data[i].matrix[1].x;
}
