#version 450
// A module with NonSemantic.Shader.DebugInfo runs as one without.
//! each OPT = off | on
//! debug
//! optimize $(OPT)
//! buffer data s32[64] binding 0 = random(-100, 100, 1)
//! buffer results s32[64] binding 1
//! dispatch 1
//! expect results = data[i] > 0 ? sum(k, 0, data[i] % 7, k) : -data[i]
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { int data[]; };
layout(binding = 1) writeonly buffer Results { int results[]; };

int triangle(int n) {
  int total = 0;
  for (int k = 0; k < n; ++k) total += k;
  return total;
}

void main() {
  uint i = gl_GlobalInvocationID.x;
  results[i] = data[i] > 0 ? triangle(data[i] % 7) : -data[i];
}
