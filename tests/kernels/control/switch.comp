#version 450
// A divergent switch: cases with one and several labels, fall-through, default in the middle.
//! each OPT = off | on
//! optimize $(OPT)
//! buffer data s32[64] binding 0 = random(-2, 8, 1)
//! buffer results s32[64] binding 1
//! dispatch 1
//! expect results = data[i] == 0 ? 100 : data[i] == 1 || data[i] == 2 ? 200 + data[i]
//!+  : data[i] == 3 ? 304 : data[i] == 4 ? 4 : data[i] == -1 ? 500 : 900
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { int data[]; };
layout(binding = 1) writeonly buffer Results { int results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  int result = 0;
  switch (data[i]) {
    case 0:
      result = 100;
      break;
    case 1:
    case 2:
      result = 200 + data[i];
      break;
    default:
      result = 900;
      break;
    case 3:
      result = 300;
      // falls through
    case 4:
      result += 4;
      break;
    case -1:
      result = 500;
  }
  results[i] = result;
}
