#version 450
// Some invocations return at once, some later; the others go on.
//! each OPT = off | on
//! optimize $(OPT)
//! buffer data u32[64] binding 0 = random(0, 2, 1)
//! buffer results u32[64] binding 1 = 5
//! dispatch 1
//! expect results = data[i] == 0 ? 5 : data[i] == 1 ? 6 : 7
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (data[i] == 0) return;
  results[i] = 6;
  if (data[i] == 1) return;
  results[i] = 7;
}
