#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
// Sums of halves.
//! require shaderFloat16 storageBuffer16BitAccess
//! each SPELLING INT FORM WIDTH GROUPS = uint uint 0 1 4096 | int int 0 1 4096
//!+ | float uint 1 1 4096 | stride uint 2 1 256 | vec4 uint 0 4 1024
//! buffer a f16[1 << 20] binding 0 = random(-4.0, 4.0, 1)
//! buffer b f16[1 << 20] binding 1 = random(-4.0, 4.0, 2)
//! buffer c f16[1 << 20] binding 2
//! push u32 1 << 20
//! dispatch $(GROUPS)
//! peer
#if WIDTH == 4
#define TYPE f16vec4
#define WIDE vec4
#else
#define TYPE float16_t
#define WIDE float
#endif
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer A { TYPE a[]; };
layout(binding = 1) readonly buffer B { TYPE b[]; };
layout(binding = 2) writeonly buffer C { TYPE c[]; };
layout(push_constant) uniform Push { uint elements; };

void main() {
  const INT n = INT(elements) / WIDTH;
  INT i = INT(gl_GlobalInvocationID.x);
#if FORM == 2
  for (; i < n; i += INT(gl_NumWorkGroups.x * 256)) c[i] = a[i] + b[i];
#else
  if (i >= n) return;
#if FORM == 1
  c[i] = TYPE(WIDE(a[i]) + WIDE(b[i]));
#else
  c[i] = a[i] + b[i];
#endif
#endif
}
