#version 450
// SiLU of one vector times another (SwiGLU).
//! each SPELLING INT FORM WIDTH GROUPS = divide uint 0 1 1024 | int int 0 1 1024 | exp2 uint 1 1 1024
//!+ | stride uint 2 1 128 | vec4 uint 0 4 256
//! buffer gate f32[1 << 18] binding 0 = random(-8.0, 8.0, 1)
//! buffer up f32[1 << 18] binding 1 = random(-1.0, 1.0, 2)
//! buffer y f32[1 << 18] binding 2
//! push u32 1 << 18
//! dispatch $(GROUPS)
//! peer within 1e-5 abs
#if WIDTH == 4
#define TYPE vec4
#else
#define TYPE float
#endif
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer Gate { TYPE gate[]; };
layout(binding = 1) readonly buffer Up { TYPE up[]; };
layout(binding = 2) writeonly buffer Y { TYPE y[]; };
layout(push_constant) uniform Push { uint size; };

TYPE silu(TYPE v) {
#if FORM == 1
  return v / (1 + exp2(v * -1.442695041));
#else
  return v / (1 + exp(-v));
#endif
}

void main() {
  const INT n = INT(size) / WIDTH;
  INT i = INT(gl_GlobalInvocationID.x);
#if FORM == 2
  for (; i < n; i += INT(gl_NumWorkGroups.x * 256)) y[i] = silu(gate[i]) * up[i];
#else
  if (i < n) y[i] = silu(gate[i]) * up[i];
#endif
}
