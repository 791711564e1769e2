#version 450
// A workgroup stores to a buffer through its binding, and another one reads it at its device
// address.
//! debug
//! each BUG SOURCE = 1 data | 0 copy
//! setting check race
//! require bufferDeviceAddress
//! buffer data u32[64] binding 0 = i
//! buffer copy u32[64] = i
//! buffer results u32[64] binding 1
//! push u64 &$(SOURCE)
//! dispatch 2
//! finding race device-memory times $(BUG)
//! expect data = 2 * i
//! expect copy = i
//! expect results = $(BUG) ? @results[i] : i
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 64) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Numbers { uint numbers[]; };
layout(push_constant) uniform Push { Numbers source; };
layout(binding = 0) writeonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  if (gl_WorkGroupID.x == 0) {
    data[i] = 2 * i;  // finding
  } else {
    results[i] = source.numbers[i];  // finding
  }
}
