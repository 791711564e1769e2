#version 450
// A descriptor that holds only a part of its buffer: the store stays in the buffer and leaves the
// part. After GPU-assisted validation's tests of general buffers, where half is bound.
//! debug
//! each BUG = 1 | 0
//! setting check memory
//! buffer all u32[256] binding 0 at 256 range 256 = i
//! dispatch 1
//! finding memory buffer-bounds times $(BUG) "store"
//! expect all = i >= 64 + $(BUG) && i < 128 ? 1000 + i - 64 - $(BUG) : i
layout(local_size_x = 64) in;
layout(binding = 0) buffer All { uint part[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  part[i + BUG] = 1000 + i;  // finding
}
