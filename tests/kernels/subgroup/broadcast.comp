#version 450
// subgroupBroadcast of a constant and of a computed invocation's value, and BroadcastFirst, of all
// types and of vectors.
//! each T GLSL = u8 uint8_t | s16 int16_t | u32 uint | s64 int64_t | f16 float16_t | f32 float
//!+ | f64 double
//! each SIZE = 8 | 32 | 64
//! require subgroup ballot
//! require shaderInt8 shaderInt16 shaderInt64 shaderFloat16 shaderFloat64 storageBuffer8BitAccess
//! require storageBuffer16BitAccess shaderSubgroupExtendedTypes
//! buffer data $(T)[128] binding 0 = random(0, 100, 1)
//! buffer which u32[16] binding 1 = random(1, subgroup_size - 1, 2)
//! buffer results $(T)[640] binding 2 = 0
//! subgroup $(SIZE)
//! dispatch 1
//! expect results[0..128] = data[n/subgroup_size*subgroup_size + 5]
//! expect results[128..256] = data[n/subgroup_size*subgroup_size + which[n/subgroup_size]]
//! expect results[256..384] = data[n/subgroup_size*subgroup_size]
//! expect results[384..512] = n % subgroup_size < 3 ? 0 : data[n/subgroup_size*subgroup_size + 3]
//! expect results[512..640] = 1 + data[127 - (n/subgroup_size*subgroup_size + 6)]
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_EXT_shader_subgroup_extended_types_int8 : require
#extension GL_EXT_shader_subgroup_extended_types_int16 : require
#extension GL_EXT_shader_subgroup_extended_types_int64 : require
#extension GL_EXT_shader_subgroup_extended_types_float16 : require
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer Data { GLSL data[]; };
layout(binding = 1) readonly buffer Which { uint which[]; };
layout(binding = 2) writeonly buffer Results { GLSL results[]; };

#define JOIN(a, b) a##b

void main() {
  uint i = gl_LocalInvocationIndex;
  GLSL x = data[i];
  results[i] = subgroupBroadcast(x, 5);
  results[128 + i] = subgroupBroadcast(x, which[gl_SubgroupID]);
  results[256 + i] = subgroupBroadcastFirst(x);
  if (gl_SubgroupInvocationID >= 3) results[384 + i] = subgroupBroadcastFirst(x);
  bvec2 odd = subgroupBroadcast(bvec2(gl_SubgroupInvocationID == 6, false), 6);
  GLSL other = data[127 - i];
  results[512 + i] = GLSL(odd.x && !odd.y) + subgroupBroadcast(other, 6);
}
