#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
// A local array that a loop reads on in while it writes it: a turn reads what turns before it wrote,
// so nothing of it may be read ahead. Each invocation reads at its own place; they write at one.
//! require shaderInt8 shaderInt16
//! each TYPE = uint | uint16_t | uint8_t
//! each SUBGROUP = 8 | 32
//! buffer sums u32[256] binding 0 = 0
//! push u32 32
//! subgroup $(SUBGROUP)
//! dispatch 4
//! expect sums = 3 * ((i * 7 % 16) * (16 - (i * 7 % 16)) + (16 - (i * 7 % 16)) * (15 - (i * 7 % 16)) / 2) + 5 * (16 + (i * 7 % 16)) * (15 + (i * 7 % 16)) / 2 + 16 + (i * 7 % 16)
layout(local_size_x = 64) in;
layout(push_constant) uniform Push { uint count; };
layout(binding = 0) buffer Sums { uint sums[]; };
void main() {
  const uint start = gl_GlobalInvocationID.x * 7 % 16;
  TYPE row[64];
  for (uint i = 0; i < 64; ++i) row[i] = TYPE(3 * i);
  uint sum = 0;
  for (uint k = 0; k < count; ++k) {
    sum += uint(row[start + k]);
    row[k + 16] = TYPE(5 * k + 1);
  }
  sums[gl_GlobalInvocationID.x] = sum;
}
