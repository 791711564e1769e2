#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
// Stores to rows whose length is known at run time: subgroups in which a row ends write element by
// element, others all at once, in bounds or not.
//! require shaderInt16 shaderInt8 storageBuffer16BitAccess storageBuffer8BitAccess
//! each TYPE BUFFER = uint u32 | uint16_t u16 | uint8_t u8
//! each INT = uint | int
//! each WIDTH = 24 | 100 | 256
//! buffer moved $(BUFFER)[3000] binding 0 = 7
//! push u32 $(WIDTH)
//! subgroup 32
//! remarks "gather" 0 "scatter" 0 "tested" 1
//! dispatch 16
//! expect moved = i % ($(WIDTH) + 1) < $(WIDTH) && i / ($(WIDTH) + 1) * $(WIDTH) + i % ($(WIDTH) + 1) < 1000 ? (i / ($(WIDTH) + 1) * $(WIDTH) + i % ($(WIDTH) + 1)) % 251 : 7
layout(local_size_x = 64) in;
layout(binding = 0) buffer To { TYPE moved[]; };
layout(push_constant) uniform Push { INT width; };
void main() {
  const INT at = INT(gl_GlobalInvocationID.x);
  const INT row = at / width, column = at % width;
  if (at < 1000) moved[row * (width + 1) + column] = TYPE(at % 251);
}
