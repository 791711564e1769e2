#version 450
// Scalars, vectors, arrays, structures and booleans that live across barriers.
//! buffer data f32[256] binding 0 = random(-10, 10, 1)
//! buffer results f32[128] binding 1
//! dispatch 1
//! expect results[0..64] = data[4 * n] + data[4 * n + 1] * 2 + data[4 * n + 2] * 3 + data[4 * n + 3] * 4
//!+  + data[4 * ((n + 1) % 64)]
//! expect results[64..128] = data[4 * n] > 0 ? data[4 * ((n + 2) % 64)] : data[4 * n + n % 4]
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { vec4 data[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };
shared float stage[64];

struct State {
  vec2 pair;
  float rest[2];
  bool positive;
};

void main() {
  uint i = gl_LocalInvocationID.x;
  vec4 v = data[i];
  float values[4] = {v.x, v.y, v.z, v.w};
  State state = State(v.xy, float[](v.z, v.w), v.x > 0);
  stage[i] = v.x;
  barrier();
  float first = stage[(i + 1) % 64];
  float second = stage[(i + 2) % 64];
  barrier();
  results[i] = state.pair.x + state.pair.y * 2 + state.rest[0] * 3 + state.rest[1] * 4 + first;
  results[i + 64] = state.positive ? second : values[i % 4];
}
