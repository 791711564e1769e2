#version 450
// Stores through an address that is 16 bytes before the buffer: the first is outside. After
// GPU-assisted validation's ReadBeforePointerPushConstant.
//! debug
//! each BUG = 1 | 0
//! require bufferDeviceAddress
//! setting check memory
//! buffer data u32[16] = 7
//! push u64 &data - 16 * $(BUG)
//! dispatch 1
//! finding memory address times $(BUG) "store"
//! expect data = i % 4 == 0 && i < 16 - 4 * $(BUG) ? 42 : 7
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 4) in;
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Rows { uvec4 rows[]; };
layout(push_constant) uniform Push { Rows data; };

void main() {
  data.rows[gl_LocalInvocationIndex].x = 42;  // finding
}
