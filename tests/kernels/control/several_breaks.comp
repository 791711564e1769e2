#version 450
// An endless loop with breaks in ifs, in a switch's neighbour and after a continue.
//! each OPT = off | on
//! optimize $(OPT)
//! buffer data u32[64] binding 0 = i * 3 % 29
//! buffer results u32[64] binding 1
//! dispatch 1
//! expect results = data[i] < 7 ? 1000 + data[i] : data[i] % 2 == 0 ? 2000 + data[i] / 2 : 3020
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x, x = data[i], round = 0, result;
  while (true) {
    if (x < 7 && round == x) {
      result = 1000;
      break;
    }
    ++round;
    if (round < 2 || x < 7) continue;
    if (x % 2 == 0 && 2 * round >= x) {
      result = 2000;
      break;
    }
    if (round == 20) {
      result = 3000;
      break;
    }
  }
  results[i] = result + round;
}
