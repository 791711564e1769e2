#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_scalar_block_layout : require
// Loops in which each invocation reads on in a row of its own: registers of each row are loaded in front of what
// needs them, and the last turns gather. Rows of all lengths, the last one ending where the buffer does.
//! require shaderFloat16 shaderInt8 shaderInt16 shaderInt64 storageBuffer16BitAccess storageBuffer8BitAccess scalarBlockLayout
//! each TYPE BUFFER C = float f32 1 | uint8_t u8 1 | uint16_t u16 1 | float16_t f16 1 | uint64_t u64 1
//!+ | vec2 f32 2 | vec4 f32 4 | u8vec4 u8 4 | f16vec2 f16 2
//! each N PITCH = 1 3 | 16 16 | 17 19 | 70 71
//! each FORM A B D DEAD REST = counter 1 0 1 9 0 | signed 1 0 1 9 0 | until 1 0 1 9 0 | second 1 1 2 9 2
//!+ | table 1 0 1 9 2 | some 1 0 1 1 0 | both 2 -2 1 9 0 | twice 2 0 1 9 0
//! buffer source $(BUFFER)[(127 * $(PITCH) + $(N)) * $(C)] binding 0 = i % 251
//! buffer start u32[128] binding 1 = (i * 37 % 128) * $(PITCH)
//! buffer right u32[128] binding 2
//! push u32 $(N)
//! subgroup 32
//! remarks "gather" $(REST) except "robust access" "checked shapes"
//! dispatch 2
//! expect right = i % 3 == $(DEAD) ? 0 : ($(A) * $(N) + $(B)) / $(D)
layout(local_size_x = 64) in;
layout(scalar, binding = 0) readonly buffer From { $(TYPE) source[]; };
layout(binding = 1) readonly buffer Start { uint start[]; };
layout(binding = 2) writeonly buffer To { uint right[]; };
layout(push_constant) uniform Push { uint count; };
#define counter_ 1
#define signed_ 2
#define until_ 3
#define second_ 4
#define table_ 5
#define some_ 6
#define both_ 7
#define twice_ 8
// Whether it is the element of this number.
#if $(C) == 1
bool is($(TYPE) v, uint k) { return uint(v) == k % 251; }
#elif $(C) == 2
bool is($(TYPE) v, uint k) { return uint(v.x) == 2 * k % 251 && uint(v.y) == (2 * k + 1) % 251; }
#else
bool is($(TYPE) v, uint k) {
  return uint(v.x) == 4 * k % 251 && uint(v.y) == (4 * k + 1) % 251 && uint(v.z) == (4 * k + 2) % 251 &&
         uint(v.w) == (4 * k + 3) % 251;
}
#endif
void main() {
  const uint row = gl_GlobalInvocationID.x;
  uint sum = 0;
#if $(FORM)_ == counter_
  for (uint k = 0; k < count; ++k) sum += is(source[row * $(PITCH) + k], row * $(PITCH) + k) ? 1 : 0;
#elif $(FORM)_ == signed_
  const int r = int(row);
  for (int k = 0; k != int(count); k++) sum += is(source[r * $(PITCH) + k], row * $(PITCH) + uint(k)) ? 1 : 0;
#elif $(FORM)_ == until_
  uint at = row * $(PITCH), left = count;
  do {
    sum += is(source[at], at) ? 1 : 0;
    at += 1;
  } while (--left > 0);
#elif $(FORM)_ == second_
  for (uint k = 0; k < count; k += 2) sum += is(source[k + row * $(PITCH)], row * $(PITCH) + k) ? 1 : 0;
#elif $(FORM)_ == table_
  const uint first = start[row];
  for (uint k = first; k < first + count; ++k) sum += is(source[k], k) ? 1 : 0;
#elif $(FORM)_ == some_
  if (row % 3 != 1)
    for (uint k = 0; k < count; ++k) sum += is(source[row * $(PITCH) + k], row * $(PITCH) + k) ? 1 : 0;
#elif $(FORM)_ == both_
  for (uint k = 0; k + 1 < count; ++k) {
    const uint at = row * $(PITCH) + k;
    sum += (is(source[at + 1], at + 1) ? 1 : 0) + (is(source[at], at) ? 1 : 0);
  }
#else
  for (uint turn = 0; turn < 2; ++turn)
    for (uint k = 0; k < count; ++k) sum += is(source[row * $(PITCH) + k], row * $(PITCH) + k) ? 1 : 0;
#endif
  right[row] = sum;
}
