#version 450
// A dispatch of no workgroups does nothing, one of many does all.
//! buffer results u32[20000] binding 0 = 1
//! push u32 100
//! dispatch 0
//! dispatch 5 0 3
//! push u32 6
//! dispatch 1250
//! expect results = 1 + 6 * (i % 3)
layout(local_size_x = 16) in;
layout(push_constant) uniform Push { uint factor; };
layout(binding = 0) buffer Results { uint results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  results[i] += factor * (i % 3);
}
