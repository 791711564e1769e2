#version 450
// Booleans to and from numbers, in scalars and vectors.
//! buffer data s32[64] binding 0 = random(-2, 2, 1)
//! buffer results f32[128] binding 1
//! dispatch 1
//! expect results[0..64] = data[n] != 0
//! expect results[64..128] = (data[n] > 0) + (data[n] < 0) * 2
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { int data[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  results[i] = float(bool(data[i]));
  vec2 signs = vec2(bvec2(data[i] > 0, data[i] < 0));
  results[i + 64] = dot(signs, vec2(1, 2));
}
