#version 450
// OpSelect on scalars, vectors, and structures through control flow.
//! buffer data f32[64] binding 0 = random(-4, 4, 1)
//! buffer results f32[192] binding 1
//! dispatch 1
//! expect results[0..64] = data[n] > 0 ? data[n] : data[n] / 4
//! expect results[64..128] = data[n] > 1 ? 10 + n : 20 + data[n]
//! expect results[128..192] = data[n] > 1 ? data[n] : n
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };

struct Pair {
  float first;
  vec2 second;
};

void main() {
  uint i = gl_GlobalInvocationID.x;
  float x = data[i];
  results[i] = x > 0 ? x : x * 0.25;
  Pair a = Pair(10, vec2(i, x)), b = Pair(20, vec2(x, i));
  Pair c = x > 1 ? a : b;
  results[i + 64] = c.first + c.second.x;
  results[i + 128] = c.second.y;
}
