#version 450
// A structure in a structure, with padding between its members, gets one member from shared memory without a
// value. Its padding is no finding. After Oclgrind's uninitialized_padded_nested_struct_memcpy.
//! debug
//! each BUG = 1 | 0
//! setting check uninit
//! require shaderInt8 storageBuffer8BitAccess
//! buffer results u8[24] binding 0 scratch
//! dispatch 1
//! finding uninit uninit-store times $(BUG)
//! check @results[0] == 1 && @results.u32[1] == 0x2000002 && @results[8] == 3 && @results[12] == 4 && @results[20] == 5
//! check $(BUG) || @results.u32[4] == 6
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
struct Inner { uint8_t a; int b; uint8_t c; };
struct Outer { uint8_t a; int b; uint8_t c; Inner d; };
layout(binding = 0) writeonly buffer Results { Outer result; };
shared int scratch;
void main() {
#if !BUG
  scratch = 6;
#endif
  Outer value = Outer(uint8_t(1), 0x2000002, uint8_t(3), Inner(uint8_t(4), scratch, uint8_t(5)));
  result = value;  // finding
}
