#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
// Rows of a table by their numbers, one element for each invocation: what all lanes, or each half of
// them, look up is one number, and the row's elements are side by side. Where a row ends within a
// subgroup (100), they are not.
//! require shaderInt16 shaderInt8 storageBuffer16BitAccess storageBuffer8BitAccess
//! each TYPE BUFFER = uint u32 | uint16_t u16 | uint8_t u8
//! each INT = uint | int
//! each WIDTH = 16 | 32 | 64 | 100
//! each GUARD KEPT = all 0 | some 40
//! buffer numbers $(BUFFER)[64] binding 0 = i * 29 % 64
//! buffer table f32[64 * $(WIDTH)] binding 1 = i
//! buffer rows f32[64 * $(WIDTH)] binding 2 = -1
//! push u32 $(WIDTH)
//! subgroup 32
//! remarks "gather" 0 "scatter" 0 except "checked shapes"
//! dispatch $(WIDTH)
//! expect rows = i >= 64 * $(WIDTH) - $(KEPT) ? -1 : i / $(WIDTH) * 29 % 64 * $(WIDTH) + i % $(WIDTH)
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Numbers { TYPE numbers[]; };
layout(binding = 1) readonly buffer Table { float table[]; };
layout(binding = 2) writeonly buffer Rows { float rows[]; };
layout(push_constant) uniform Push { INT width; };
#define all 0
#define some 1
void main() {
  const INT i = INT(gl_GlobalInvocationID.x);
#if GUARD == some
  if (i >= 64 * width - 40) return;
#endif
  rows[i] = table[INT(numbers[i / width]) * width + i % width];
}
