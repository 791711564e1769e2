#version 450
// A loop of stores through a device address, one too many. After GPU-assisted validation's
// ReadAfterPointerPushConstant.
//! debug
//! each BUG = 1 | 0
//! require bufferDeviceAddress
//! setting check memory
//! buffer data u32[16] = 7
//! push u64 &data, u32 4 + $(BUG)
//! dispatch 1
//! finding memory address times $(BUG) "store"
//! expect data = i % 4 == 0 ? 42 : 7
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 1) in;
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Rows { uvec4 rows[]; };
layout(push_constant) uniform Push { Rows data; uint stores; };

void main() {
  for (uint k = 0; k < stores; ++k) {
    data.rows[k].x = 42;  // finding
  }
}
