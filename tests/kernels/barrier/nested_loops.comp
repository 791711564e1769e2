#version 450
// Barriers in both of two nested uniform loops, divergent work in between.
//! each OPT = off | on
//! optimize $(OPT)
//! buffer data u32[64] binding 0 = random(0, 9, 1)
//! buffer results u32[64] binding 1
//! dispatch 1
//! expect results = data[(i + 9) % 64] + (data[(i + 9) % 64] > 4 ? 3 : 0) * 1
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };
shared uint stage[64];

void main() {
  uint i = gl_LocalInvocationIndex, value = data[i], start = value, added = 0;
  for (uint outer = 0; outer < 3; ++outer) {
    if (start > 4) {
      value += 1;
    }
    for (uint inner = 0; inner < 3; ++inner) {
      stage[i] = value * 16 + start;
      barrier();
      uint both = stage[(i + 1) % 64];
      value = both / 16;
      start = both % 16;
      barrier();
    }
    added += outer;
  }
  results[i] = added == 3 ? value : 999;
}
