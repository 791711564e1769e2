#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
// With robust access, subgroups that are inside of a buffer, across its ends and outside: one test decides for all
// lanes or each has its own. Indices may wrap around 2^32 into the buffer, and around 2^31 out of it.
//! require shaderInt8 storageBuffer8BitAccess
//! each PLACE AT REACHED = plus i+20 i>=20 | minus i-5 1 | high i-16 1 | far i+100000 0 | rows i/16*17+i%16 i%17<16
//!+ | third i*3 i%3==0 | clamped i<95?i:95 i<96
//! each INT = uint | int
//! each TYPE BUFFER = uint u32 | uint8_t u8
//! buffer source $(BUFFER)[100] binding 0 = i + 1
//! buffer read u32[192] binding 1
//! buffer stored $(BUFFER)[100] binding 2 = 0
//! push u32 20, u32 4294967291, u32 4294967280, u32 2147483632, u32 17, u32 95
//! subgroup 32
//! robust
//! dispatch 3
//! expect read = ($(AT)) >= 0 && ($(AT)) < 100 ? ($(AT)) + 1 : 0
//! expect stored = $(REACHED)
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer From { $(TYPE) source[]; };
layout(binding = 1) writeonly buffer Read { uint result[]; };
layout(binding = 2) writeonly buffer Stored { $(TYPE) stored[]; };
layout(push_constant) uniform Push { INT twenty, minus_five, minus_sixteen, half_way, width, last; };
#define plus_ 1
#define minus_ 2
#define high_ 3
#define far_ 4
#define rows_ 5
#define third_ 6
#define clamped_ 7
void main() {
  const INT i = INT(gl_GlobalInvocationID.x);
#if $(PLACE)_ == plus_
  const INT at = i + twenty;
#elif $(PLACE)_ == minus_
  const INT at = i + minus_five;
#elif $(PLACE)_ == high_
  const INT at = i + minus_sixteen;
#elif $(PLACE)_ == far_
  const INT at = i + half_way;
#elif $(PLACE)_ == rows_
  const INT at = i / 16 * width + i % 16;
#elif $(PLACE)_ == third_
  const INT at = i * 3;
#else
  const INT at = min(i, last);
#endif
  result[gl_GlobalInvocationID.x] = uint(source[at]);
  stored[at] = $(TYPE)(1);
}
