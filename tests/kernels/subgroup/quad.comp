#version 450
// Quads: broadcast from a constant and from a computed place, swaps.
//! each SIZE = 8 | 16 | 32 | 64
//! each T GLSL = u8 uint8_t | f32 float | s64 int64_t
//! require subgroup quad
//! require shaderInt8 shaderInt64 storageBuffer8BitAccess shaderSubgroupExtendedTypes
//! buffer data $(T)[128] binding 0 = random(0, 100, 1)
//! buffer results $(T)[640] binding 1 = 0
//! subgroup $(SIZE)
//! dispatch 1
//! expect results[0..128] = data[n/4*4 + 2]
//! expect results[128..256] = data[n/4*4 + n/4%4]
//! expect results[256..384] = data[n ^ 1]
//! expect results[384..512] = data[n ^ 2]
//! expect results[512..640] = data[n ^ 3]
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_KHR_shader_subgroup_quad : require
#extension GL_EXT_shader_subgroup_extended_types_int8 : require
#extension GL_EXT_shader_subgroup_extended_types_int64 : require
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer Data { GLSL data[]; };
layout(binding = 1) writeonly buffer Results { GLSL results[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  GLSL x = data[i];
  results[i] = subgroupQuadBroadcast(x, 2);
  results[128 + i] = subgroupQuadBroadcast(x, i / 4 % 4);
  results[256 + i] = subgroupQuadSwapHorizontal(x);
  results[384 + i] = subgroupQuadSwapVertical(x);
  results[512 + i] = subgroupQuadSwapDiagonal(x);
}
