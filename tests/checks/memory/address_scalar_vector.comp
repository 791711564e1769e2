#version 450
// Vectors of three that lie without gaps behind an address; the buffer has one less. After
// GPU-assisted validation's UVec3Array.
//! debug
//! each BUG = 1 | 0
//! require bufferDeviceAddress scalarBlockLayout
//! setting check memory
//! buffer indices u32[9] = 1 + i
//! buffer results u32[1] binding 0
//! push u64 &indices, u32 3 + $(BUG)
//! dispatch 1
//! finding memory address times $(BUG) "load of 12 bytes"
//! expect results = 45
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 1) in;
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Indices { uvec3 indices[]; };
layout(push_constant) uniform Push { Indices data; uint count; };
layout(binding = 0) writeonly buffer Results { uint result; };

void main() {
  uint total = 0;
  for (uint k = 0; k < count; ++k) {
    uvec3 three = data.indices[k];  // finding
    total += three.x + three.y + three.z;
  }
  result = total;
}
