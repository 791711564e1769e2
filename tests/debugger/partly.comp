#version 450
// Code behind tests that some subgroups pass as a whole, and others in part.
//! buffer results u32[128] binding 0
//! debug
//! push u32 72
//! subgroup 32 full
//! dispatch 1
layout(local_size_x = 128) in;
layout(binding = 0) buffer Results { uint results[]; };
layout(push_constant) uniform Push { uint size; } push;

uint doubled(uint of) {
  const uint both = of + of;
  return both + 1u;  // in the function
}

void main() {
  const uint i = gl_GlobalInvocationID.x;
  if (i < push.size) {
    const uint more = doubled(i);
    results[i] = more;  // in the branch
  }
  for (uint k = i; k < 2 * push.size; k += 100) {
    results[k % 128] += 1u;  // in the loop
  }
}
