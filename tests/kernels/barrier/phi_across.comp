#version 450
// A value chosen in divergent flow before a barrier and used in divergent flow after it, and a loop
// counter that both sides share.
//! each OPT = off | on
//! optimize $(OPT)
//! buffer data s32[96] binding 0 = random(-50, 50, 1)
//! buffer results s32[96] binding 1
//! dispatch 1
//! expect results = data[i] < 0 ? (data[i] + 1000) * 2 + data[95 - i] : data[i] % 3 * 10 - data[95 - i]
layout(local_size_x = 96) in;
layout(binding = 0) readonly buffer Data { int data[]; };
layout(binding = 1) writeonly buffer Results { int results[]; };
shared int stage[96];

void main() {
  uint i = gl_LocalInvocationIndex;
  int x = data[i], chosen;
  bool negative = x < 0;
  if (negative) {
    chosen = x + 1000;
  } else {
    chosen = 0;
    for (int k = 0; k < x % 3; ++k) chosen += 10;
  }
  stage[i] = x;
  barrier();
  int other = stage[95 - i];
  if (negative) {
    chosen = chosen * 2 + other;
  } else {
    chosen -= other;
  }
  results[i] = chosen;
}
