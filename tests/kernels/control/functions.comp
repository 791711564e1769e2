#version 450
// Functions with in, out and inout parameters, several returns, calls inside divergent flow, and
// functions that call functions.
//! each OPT = off | on
//! optimize $(OPT)
//! buffer data s32[64] binding 0 = random(-20, 20, 1)
//! buffer results s32[128] binding 1
//! dispatch 1
//! expect results[0..64] = data[n] < -10 ? -1 : data[n] < 0 ? 2 * data[n] : data[n] > 10 ? 30 : 3 * data[n]
//! expect results[64..128] = data[n] > 0 ? data[n] * data[n] + n : data[n] - 1
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { int data[]; };
layout(binding = 1) writeonly buffer Results { int results[]; };

int piecewise(int x) {
  if (x < 0) {
    if (x < -10) return -1;
    return 2 * x;
  }
  return 3 * min(x, 10);
}

void square(inout int x) { x *= x; }

bool addSquare(int x, int y, out int result) {
  square(x);
  result = x + y;
  return true;
}

void main() {
  uint i = gl_GlobalInvocationID.x;
  int x = data[i];
  results[i] = piecewise(x);
  int y;
  if (!(x > 0 && addSquare(x, int(i), y))) y = x - 1;
  results[i + 64] = y;
}
