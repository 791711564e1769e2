#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
// What only some invocations do, `if (i < n)` as shaders write it, with accesses that cost more under a mask: of
// small elements, some bytes apart. All do it in nearly all subgroups; in one a part does, in some nobody.
//! require shaderInt8 shaderInt16 storageBuffer8BitAccess storageBuffer16BitAccess
//! each TYPE BUFFER = uint8_t u8 | uint16_t u16
//! each FORM OTHER = if 77 | return 77 | else (i%50) | nested 77 | loop 77 | inner 77 | both 77
//! each LIMIT = 512 | 397 | 8 | 0
//! buffer source $(BUFFER)[512 * 3] binding 0 = i % 199
//! buffer result $(BUFFER)[512] binding 1 = 77
//! push u32 $(LIMIT)
//! subgroup 32
//! remarks "gather" 0 "scatter" 0 except "reference" "checked shapes"
//! dispatch 8
//! expect result = i >= $(LIMIT) ? $(OTHER) : (3 * i % 199 + (3 * i + 1) % 199 + (3 * i + 2) % 199) / 3
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer From { $(TYPE) source[]; };
layout(binding = 1) buffer To { $(TYPE) result[]; };
layout(push_constant) uniform Push { uint limit; };
#define if_ 1
#define return_ 2
#define else_ 3
#define nested_ 4
#define loop_ 5
#define inner_ 6
#define both_ 7
void mean(uint i) {
  const uint a = uint(source[3 * i]), b = uint(source[3 * i + 1]), c = uint(source[3 * i + 2]);
  result[i] = $(TYPE)((a + b + c) / 3);
}
void main() {
  const uint i = gl_GlobalInvocationID.x;
#if $(FORM)_ == if_
  if (i < limit) mean(i);
#elif $(FORM)_ == return_
  if (i >= limit) return;
  mean(i);
#elif $(FORM)_ == else_
  if (i < limit)
    mean(i);
  else
    result[i] = $(TYPE)(i % 50);
#elif $(FORM)_ == nested_
  if (i < limit) {
    if (i < 1000) mean(i);
  }
#elif $(FORM)_ == loop_
  for (uint k = 0; k < 2; ++k)
    if (i < limit) mean(i);
#elif $(FORM)_ == inner_
  if (i < limit)
    for (uint k = 0; k < limit / 256 + 1; ++k) mean(i);
#else
  uint sum = 0;
  if (i < limit) sum += uint(source[3 * i]) + uint(source[3 * i + 1]);
  if (i < limit) {
    sum += uint(source[3 * i + 2]);
    result[i] = $(TYPE)(sum / 3);
  }
#endif
}
