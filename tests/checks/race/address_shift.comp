#version 450
// A shift by one element whose target address lies in the source. After Oclgrind's test
// data-race/global_read_write_race, by device addresses.
//! debug
//! each BUG TARGET = 1 data | 0 copy
//! setting check race
//! require bufferDeviceAddress
//! buffer data u32[129] = i * i
//! buffer copy u32[129] = 0
//! push u64 &data, u64 &$(TARGET) + 4
//! dispatch 2
//! finding race device-memory times $(BUG)
//! expect data = $(BUG) ? @data[i] : i * i
//! expect copy = $(BUG) || i == 0 ? 0 : (i - 1) * (i - 1)
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 64) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Numbers { uint numbers[]; };
layout(push_constant) uniform Push { Numbers source, target; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint number = source.numbers[i];  // finding
  target.numbers[i] = number;  // finding
}
