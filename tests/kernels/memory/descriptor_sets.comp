#version 450
// Buffers in several sets, with gaps in sets and bindings, uniform and storage mixed.
//! buffer a u32[64] set 0 binding 3 = i
//! buffer b u32[64] uniform set 2 binding 1 = 1000 * i
//! buffer results u32[64] set 3 binding 7
//! dispatch 1
//! expect results = i + 4000 * (i % 16)
layout(local_size_x = 64) in;
layout(set = 0, binding = 3) readonly buffer A { uint a[]; };
layout(set = 2, binding = 1) uniform B { uvec4 b[16]; };
layout(set = 3, binding = 7) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  results[i] = a[i] + b[i % 16].x;
}
