#version 450
// scalarBlockLayout: vectors and structures without padding.
//! require scalarBlockLayout
//! buffer data f32[192] binding 0 = random(-9, 9, 1)
//! buffer results f32[192] binding 1
//! dispatch 1
//! expect results[0..192 step 3] = data[3 * n + 2] + 1
//! expect results[1..192 step 3] = data[3 * n] * 2
//! expect results[2..192 step 3] = data[3 * n + 1]
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 64) in;
layout(scalar, binding = 0) readonly buffer Data { vec3 data[]; };
struct Element {
  float first;
  vec2 rest;
};
layout(scalar, binding = 1) writeonly buffer Results { Element results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  vec3 v = data[i];
  results[i] = Element(v.z + 1, vec2(v.x * 2, v.y));
}
