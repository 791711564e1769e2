#version 450
// A vector at an address that suits its components, but not the alignment that the reference promises.
//! debug
//! each BUG = 1 | 0
//! require bufferDeviceAddress
//! setting check memory
//! buffer data f32[16] = i
//! buffer results f32[4] binding 0
//! push u64 &data + 16 - 8 * $(BUG)
//! dispatch 1
//! finding memory alignment times $(BUG) "load" "16"
//! expect results = $(BUG) ? @results[i] : 4 + i
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 1) in;
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Row { vec4 x; };
layout(push_constant) uniform Push { Row row; };
layout(binding = 0) writeonly buffer Results { vec4 results; };

void main() {
  vec4 x = row.x;  // finding
  results = x;
}
