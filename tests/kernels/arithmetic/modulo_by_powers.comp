#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
// OpSMod by powers of two, which `%` of signed integers becomes: never below zero, whatever is divided. By what is below
// zero, and by one that the host gives, it is what it is for other divisors.
//! each TYPE = int16_t | int | int64_t
//! require shaderInt16 shaderInt64 maintenance8
//! buffer a s32[16] binding 0 = { 0, 1, -1, 7, 8, -7, -8, -9, 15, 16, -15, -16, -17, 32767, -32768, -32767 }
//! buffer y s32[96] binding 1
//! push s32 8
//! dispatch 1
//! expect y[0..16] = 0
//! expect y[16..32] = (a[i - 16] % 2 + 2) % 2
//! expect y[32..48] = (a[i - 32] % 8 + 8) % 8
//! expect y[48..64] = (a[i - 48] % 4096 + 4096) % 4096
//! expect y[64..80] = 0 - (0 - a[i - 64] % 8 + 8) % 8
//! expect y[80..96] = (a[i - 80] % 8 + 8) % 8
layout(local_size_x = 16) in;
layout(binding = 0) readonly buffer A { int a[]; };
layout(binding = 1) writeonly buffer Y { int y[]; };
layout(push_constant) uniform Push { int pushed; };

void main() {
  const uint i = gl_LocalInvocationIndex;
  const TYPE n = TYPE(a[i]);
  y[i] = int(n % TYPE(1));
  y[16 + i] = int(n % TYPE(2));
  y[32 + i] = int(n % TYPE(8));
  y[48 + i] = int(n % TYPE(4096));
  y[64 + i] = int(n % TYPE(-8));
  y[80 + i] = int(n % TYPE(pushed));
}
