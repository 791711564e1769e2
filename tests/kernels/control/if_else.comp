#version 450
// A divergent if with and without else; values merge in phis.
//! each OPT = off | on
//! optimize $(OPT)
//! buffer data s32[128] binding 0 = random(-100, 100, 1)
//! buffer results s32[256] binding 1
//! dispatch 2
//! expect results[0..128] = data[n] < 0 ? -data[n] : data[n] * 2
//! expect results[128..256] = data[n] % 3 == 0 ? data[n] + 7 : data[n]
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { int data[]; };
layout(binding = 1) writeonly buffer Results { int results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  int x = data[i], y;
  if (x < 0) {
    y = -x;
  } else {
    y = x * 2;
  }
  results[i] = y;
  int z = x;
  if (x % 3 == 0) z += 7;
  results[i + 128] = z;
}
