#version 450
// Dynamic uniform and storage buffers: the offsets come when the sets are bound.
//! buffer a u32[256] binding 0 dynamic 256 = i
//! buffer b u32[256] uniform binding 2 dynamic 512 = 1000 + i
//! buffer c u32[128] binding 5 at 256 = 5000 + i
//! buffer results u32[64] binding 9
//! dispatch 1
//! expect results = (64 + i) + (1000 + 128 + 4 * (i % 16)) + (5000 + 64 + i)
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { uint a[]; };
layout(binding = 2) uniform B { uvec4 b[16]; };
layout(binding = 5) readonly buffer C { uint c[]; };
layout(binding = 9) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  results[i] = a[i] + b[i % 16].x + c[i];
}
