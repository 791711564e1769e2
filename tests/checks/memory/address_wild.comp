#version 450
// A store, in a function, to an address that is no buffer's. After out_of_bounds_kernel of
// compute-sanitizer's memcheck demo.
//! debug
//! each BUG = 1 | 0
//! require bufferDeviceAddress
//! setting check memory
//! buffer data u32[4] = 7
//! push u64 $(BUG) ? 0x87654320 : &data
//! dispatch 1
//! finding memory address times $(BUG) "store of 4 bytes" "87654320"
//! expect data = i == 0 && !$(BUG) ? 42 : 7
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 1) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Word { uint word; };
layout(push_constant) uniform Push { Word data; };

void write(Word target) {
  target.word = 42;  // finding
}

void main() { write(data); }
