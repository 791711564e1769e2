#version 450
// The offset that is added to a device address lies in a place of the buffer that nobody has written.
//! debug
//! each BUG = 1 | 0
//! setting check uninit
//! require bufferDeviceAddress shaderInt64
//! buffer offsets u32[8] binding 0 scratch unwritten
//! buffer target u32[64] scratch = 5
//! push u32 0, pad 4, u64 &target
//! dispatch 1
//! push u32 1, pad 4, u64 &target
//! dispatch 1
//! finding uninit uninit-address times $(BUG)
//! check $(BUG) || @target[12] == 77
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 1) in;
layout(buffer_reference, buffer_reference_align = 4) buffer Number { uint value; };
layout(binding = 0) buffer Offsets { uint offsets[]; };
layout(push_constant) uniform Push { uint turn; uint64_t target; };
void main() {
  if (turn == 0) {
    offsets[BUG == 1 ? 2 : 3] = 12;
    return;
  }
  Number number = Number(target + (offsets[3] & 63) * 4);
  number.value = 77;  // finding
}
