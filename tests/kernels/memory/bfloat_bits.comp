#version 450
// Copies keep the bits of bf16, those of signalling NaNs too, under masks and without.
//! require shaderBFloat16Type storageBuffer16BitAccess
//! each TYPE N = bfloat16_t 1 | bf16vec2 2 | bf16vec4 4
//! buffer source u16[65536] binding 0 = i
//! buffer direct u16[65536] binding 1
//! buffer staged u16[65536] binding 2
//! subgroup 32
//! dispatch 64
//! expect direct = i
//! expect staged = i
#extension GL_EXT_bfloat16 : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Source { TYPE source[]; };
layout(binding = 1) writeonly buffer Direct { TYPE direct[]; };
layout(binding = 2) writeonly buffer Staged { TYPE staged[]; };
const uint count = 1024 / N;
shared TYPE tile[count];

void main() {
  uint first = gl_WorkGroupID.x * count, l = gl_LocalInvocationIndex;
  for (uint k = l; k < count; k += 64) direct[first + k] = source[first + k];
  for (uint k = l; k < count - 3; k += 64) tile[k] = source[first + k];
  if (l < 3) tile[count - 1 - l] = source[first + count - 1 - l];
  barrier();
  for (uint k = l; k < count; k += 64) staged[first + k] = tile[k];
}
