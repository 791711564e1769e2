#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
// Sums of bytes, 255 at most.
//! require shaderInt8 storageBuffer8BitAccess
//! each SPELLING INT FORM WIDTH GROUPS = uint uint 0 1 8192 | int int 0 1 8192
//!+ | select uint 1 1 8192 | stride uint 2 1 512 | vec4 uint 0 4 2048
//! buffer a u8[1 << 21] binding 0 = random(0, 255, 1)
//! buffer b u8[1 << 21] binding 1 = random(0, 255, 2)
//! buffer c u8[1 << 21] binding 2
//! push u32 1 << 21
//! dispatch $(GROUPS)
//! peer
#if WIDTH == 4
#define TYPE u8vec4
#define WIDE uvec4
#else
#define TYPE uint8_t
#define WIDE uint
#endif
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer A { TYPE a[]; };
layout(binding = 1) readonly buffer B { TYPE b[]; };
layout(binding = 2) writeonly buffer C { TYPE c[]; };
layout(push_constant) uniform Push { uint elements; };

TYPE add(TYPE p, TYPE q) {
#if FORM == 1
  const uint sum = uint(p) + uint(q);
  return sum > 255 ? uint8_t(255) : uint8_t(sum);
#else
  return TYPE(min(WIDE(p) + WIDE(q), WIDE(255)));
#endif
}

void main() {
  const INT n = INT(elements) / WIDTH;
  INT i = INT(gl_GlobalInvocationID.x);
#if FORM == 2
  for (; i < n; i += INT(gl_NumWorkGroups.x * 256)) c[i] = add(a[i], b[i]);
#else
  if (i < n) c[i] = add(a[i], b[i]);
#endif
}
