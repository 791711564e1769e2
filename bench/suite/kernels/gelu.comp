#version 450
// GELU by tanh.
//! each SPELLING INT FORM WIDTH GROUPS = tanh uint 0 1 1024 | int int 0 1 1024 | exp uint 1 1 1024
//!+ | stride uint 2 1 128 | vec4 uint 0 4 256
//! buffer x f32[1 << 18] binding 0 = random(-4.0, 4.0, 1)
//! buffer y f32[1 << 18] binding 1
//! push u32 1 << 18
//! dispatch $(GROUPS)
//! peer within 5e-6 abs
#if WIDTH == 4
#define TYPE vec4
#else
#define TYPE float
#endif
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer X { TYPE x[]; };
layout(binding = 1) writeonly buffer Y { TYPE y[]; };
layout(push_constant) uniform Push { uint size; };

TYPE gelu(TYPE v) {
  const TYPE inner = 0.7978845608 * (v + 0.044715 * v * v * v);
#if FORM == 1
  return v - v / (exp(2 * inner) + 1);
#else
  return 0.5 * v * (1 + tanh(inner));
#endif
}

void main() {
  const INT n = INT(size) / WIDTH;
  INT i = INT(gl_GlobalInvocationID.x);
#if FORM == 2
  for (; i < n; i += INT(gl_NumWorkGroups.x * 256)) y[i] = gelu(x[i]);
#else
  if (i < n) y[i] = gelu(x[i]);
#endif
}
