#version 450
// Ifs inside both arms of ifs, stores under masks.
//! each OPT = off | on
//! optimize $(OPT)
//! buffer data u32[128] binding 0 = random(0, 15, 1)
//! buffer results u32[128] binding 1 = 1000
//! dispatch 2
//! expect results = (data[i] & 1) != 0
//!+  ? ((data[i] & 2) != 0 ? ((data[i] & 4) != 0 ? 7 : 3) : 1)
//!+  : ((data[i] & 8) != 0 ? 8 : 1000)
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint x = data[i];
  if ((x & 1) != 0) {
    if ((x & 2) != 0) {
      if ((x & 4) != 0) {
        results[i] = 7;
      } else {
        results[i] = 3;
      }
    } else {
      results[i] = 1;
    }
  } else if ((x & 8) != 0) {
    results[i] = 8;
  }
}
