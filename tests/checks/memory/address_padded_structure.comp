#version 450
// A structure with padding is loaded in one piece at an address that is not aligned as its reference promises.
//! debug
//! each BUG = 1 | 0
//! setting check memory
//! require bufferDeviceAddress shaderInt64
//! buffer data u32[64] = i
//! buffer results u32[4] binding 0
//! push u64 &data + 4 * $(BUG)
//! dispatch 1
//! finding memory alignment times $(BUG) "load"
//! expect results = $(BUG) ? @results[i] : data[8 * i] + data[8 * i + 4] + data[8 * i + 5]
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 4) in;
struct Pair { uint first; uvec3 second; };
layout(buffer_reference, std140, buffer_reference_align = 16) readonly buffer Data { Pair pair[8]; };
layout(binding = 0) writeonly buffer Results { uint results[]; };
layout(push_constant) uniform Push { Data data; };

void main() {
  uint i = gl_LocalInvocationIndex;
  Pair p = data.pair[i];  // finding
  results[i] = p.first + p.second.x + p.second.y;
}
