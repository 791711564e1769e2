#version 450
// The triad of STREAM in doubles: a = b + s c.
//! require shaderFloat64
//! each SPELLING INT FORM WIDTH GROUPS = uint uint 0 1 2048 | int int 0 1 2048 | fma uint 1 1 2048
//!+ | stride uint 2 1 128 | dvec2 uint 0 2 1024
//! buffer a f64[1 << 19] binding 0
//! buffer b f64[1 << 19] binding 1 = random(-1.0, 1.0, 1)
//! buffer c f64[1 << 19] binding 2 = random(-1.0, 1.0, 2)
//! push u32 1 << 19
//! dispatch $(GROUPS)
//! peer within 1e-15 rel or 1e-15 abs
#if WIDTH == 2
#define TYPE dvec2
#else
#define TYPE double
#endif
layout(local_size_x = 256) in;
layout(binding = 0) writeonly buffer A { TYPE a[]; };
layout(binding = 1) readonly buffer B { TYPE b[]; };
layout(binding = 2) readonly buffer C { TYPE c[]; };
layout(push_constant) uniform Push { uint elements; };

void main() {
  const INT n = INT(elements) / WIDTH;
  INT i = INT(gl_GlobalInvocationID.x);
#if FORM == 2
  for (; i < n; i += INT(gl_NumWorkGroups.x * 256)) a[i] = b[i] + 3.0lf * c[i];
#else
  if (i >= n) return;
#if FORM == 1
  a[i] = fma(TYPE(3.0lf), c[i], b[i]);
#else
  a[i] = b[i] + 3.0lf * c[i];
#endif
#endif
}
