#version 450
// A word at an odd address. After unaligned_kernel of compute-sanitizer's memcheck demo, and
// Oclgrind's unaligned.
//! debug
//! each BUG = 1 | 0
//! require bufferDeviceAddress
//! setting check memory
//! buffer data u32[4] scratch = 7
//! buffer results u32[1] binding 0
//! push u64 &data + $(BUG)
//! dispatch 1
//! finding memory alignment times $(BUG) "store of 4 bytes"
//! expect results = 1
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 1) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Word { uint word; };
layout(push_constant) uniform Push { Word data; };
layout(binding = 0) writeonly buffer Results { uint result; };

void main() {
  data.word = 42;  // finding
  result = 1;
}
