#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
// Elements that lie side by side, loaded one by one, as words made of bytes and halves are. At the buffer's end, and before
// its start, each is inside or outside by itself.
//! require shaderFloat16 shaderInt8 shaderInt16 storageBuffer16BitAccess storageBuffer8BitAccess robustBufferAccess2
//! robust
//! each CASE TYPE BUFFER SPELLING START = bytes uint8_t u8 ahead i/4*4 | byte_blocks uint8_t u8 back i/16*18+i/4%4*4
//!+ | halves uint16_t u16 back (i/4*8+16)/2 | half_blocks uint16_t u16 products i/16*18+i/4%4*4
//!+ | odd uint16_t u16 ahead i/16*17+i/4%4*4 | half_before uint16_t u16 products i/4*4-2 | gaps uint16_t u16 ahead i/4*6
//!+ | words uint u32 products i/4*4 | word_before uint u32 ahead i/4*4-2 | stencil uint u32 back i/4
//!+ | float_blocks float16_t f16 back i/16*18+i/4%4*4 | alike float16_t f16 ahead i/32*8
//! each LIMIT = 1000 | 61
//! buffer source $(BUFFER)[$(LIMIT)] binding 0 = 1 + i * 7 % 199
//! buffer result u32[256] binding 1
//! push u32 64
//! dispatch 1
//! expect result = $(START) + i % 4 >= 0 && $(START) + i % 4 < $(LIMIT) ? 1 + ($(START) + i % 4) * 7 % 199 : 0
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer From { $(TYPE) source[]; };
layout(binding = 1) writeonly buffer To { uint result[]; };
layout(push_constant) uniform Push { uint count; };
#define ahead_ 1
#define back_ 2
#define products_ 3
void main() {
  const uint number = gl_LocalInvocationIndex;
  if (number >= count) return;
  const uint i = 4 * number;
  const uint start = $(START);
#if $(SPELLING)_ == ahead_
  const uvec4 four = uvec4(uint(source[start]), uint(source[start + 1]), uint(source[start + 2]), uint(source[start + 3]));
#elif $(SPELLING)_ == back_
  const uint last = uint(source[3 + start]), third = uint(source[start + 2]);
  const uvec4 four = uvec4(uint(source[start + 4 - 4]), uint(source[1 + start]), third, last);
#else
  const uint first = start - start % 2, odd = start % 2;
  const uvec4 even = uvec4(uint(source[2 * (start / 2)]), uint(source[(start / 2) * 2 + 1]),
                           uint(source[2 * (start / 2 + 1)]), uint(source[((start / 2) << 1) + 3]));
  const uvec4 four = odd == 0 ? even : uvec4(even.yzw, uint(source[first + 4]));
#endif
  result[i] = four.x;
  result[i + 1] = four.y;
  result[i + 2] = four.z;
  result[i + 3] = four.w;
}
