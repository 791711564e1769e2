#version 450
// Vectors, matrices, structures and arrays carried through a divergent loop.
//! each OPT = off | on
//! optimize $(OPT)
//! buffer data u32[64] binding 0 = random(0, 10, 1)
//! buffer results f32[256] binding 1
//! dispatch 1
//! expect results[0..256 step 4] = n + data[n] * 2
//! expect results[1..256 step 4] = (1 << data[n])
//! expect results[2..256 step 4] = data[n] % 3 == 0 ? 5 : data[n] % 3 == 1 ? 6 : 7
//! expect results[3..256 step 4] = -(data[n] + 1)
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { vec4 results[]; };
struct State {
  vec2 pair;
  mat2 matrix;
  float ring[3];
};

void main() {
  uint i = gl_GlobalInvocationID.x;
  State state = State(vec2(i, 1), mat2(1, 0, 0, -1), float[](5, 6, 7));
  for (uint k = 0; k < data[i]; ++k) {
    state.pair = vec2(state.pair.x + 2, state.pair.y * 2);
    state.matrix[1][1] -= 1;
    float first = state.ring[0];
    state.ring = float[](state.ring[1], state.ring[2], first);
  }
  results[i] = vec4(state.pair, state.ring[0], state.matrix[1].y);
}
