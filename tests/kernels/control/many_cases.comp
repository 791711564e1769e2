#version 450
// A switch with sparse and negative labels, a hole, and cases that share code with the default.
//! each OPT = off | on
//! optimize $(OPT)
//! buffer data s32[256] binding 0 = i < 40 ? i * 1000 - 20000 : random(-12, 30, 1)
//! buffer results s32[256] binding 1
//! dispatch 4
//! expect results = data[i] == -20000 ? 1 : data[i] == -12 ? 2 : data[i] == -1 ? 3 : data[i] == 0 ? 4
//!+  : data[i] >= 5 && data[i] <= 9 ? 5 + data[i] : data[i] == 19000 ? 105 : data[i] == 11 || data[i] == 13 ? 200
//!+  : data[i] == 12 ? 101 : 100
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { int data[]; };
layout(binding = 1) writeonly buffer Results { int results[]; };

int classify(int x) {
  switch (x) {
    case -20000: return 1;
    case -12: return 2;
    case -1: return 3;
    case 0: return 4;
    case 5: case 6: case 7: case 8: case 9: return 5 + x;
    case 11: case 13: return 200;
  }
  int result = 0;
  switch (x) {
    case 19000: result += 5; break;
    case 12: result += 1;
    default: break;
  }
  return result + 100;
}

void main() { results[gl_GlobalInvocationID.x] = classify(data[gl_GlobalInvocationID.x]); }
