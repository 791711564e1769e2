#version 450
// Invocations that have returned count as arrived at the barriers of the others.
//! buffer data u32[128] binding 0 = random(0, 99, 1)
//! buffer results u32[128] binding 1 = 0
//! push u32 100
//! dispatch 2
//! expect results[0..64] = data[i ^ 1]
//! expect results[64..100] = data[i ^ 1]
//! expect results[100..128] = 0
layout(local_size_x = 64) in;
layout(push_constant) uniform Push { uint count; };
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };
shared uint stage[64];

void main() {
  uint at = gl_GlobalInvocationID.x, i = gl_LocalInvocationID.x;
  if (at >= count) return;
  stage[i] = data[at];
  barrier();
  results[at] = stage[i ^ 1];
}
