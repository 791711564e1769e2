#version 450
// subgroupShuffle, ShuffleXor, ShuffleUp and ShuffleDown with constant, computed and varying
// operands, of all types. Each invocation reads one that exists.
//! each T GLSL = u8 uint8_t | s16 int16_t | u32 uint | s64 int64_t | f16 float16_t | f32 float
//!+ | f64 double
//! each SIZE = 8 | 32 | 64
//! require subgroup shuffle
//! require subgroup shuffle_relative
//! require shaderInt8 shaderInt16 shaderInt64 shaderFloat16 shaderFloat64 storageBuffer8BitAccess
//! require storageBuffer16BitAccess shaderSubgroupExtendedTypes
//! buffer data $(T)[128] binding 0 = random(0, 100, 1)
//! buffer which u32[128] binding 1 = random(0, subgroup_size - 1, 2)
//! buffer one u32[2] binding 3 = { 3, 6 }
//! buffer results $(T)[1152] binding 2 = 0
//! subgroup $(SIZE)
//! dispatch 1
//! expect results[0..128] = data[n/subgroup_size*subgroup_size + which[n]]
//! expect results[128..256] = data[n/subgroup_size*subgroup_size + 3]
//! expect results[256..384] = data[n ^ 5]
//! expect results[384..512] = data[n ^ 3]
//! expect results[512..640] = data[n ^ which[n]]
//! expect results[640..768] = n % subgroup_size < 2 ? 0 : data[n - 2]
//! expect results[768..896] = n % subgroup_size < 6 ? 0 : data[n - 6]
//! expect results[896..1024] = n % subgroup_size >= subgroup_size - 2 ? 0 : data[n + 2]
//! expect results[1024..1152] = n % subgroup_size + which[n] >= subgroup_size ? 0 : data[n + which[n]]
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_EXT_shader_subgroup_extended_types_int8 : require
#extension GL_EXT_shader_subgroup_extended_types_int16 : require
#extension GL_EXT_shader_subgroup_extended_types_int64 : require
#extension GL_EXT_shader_subgroup_extended_types_float16 : require
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer Data { GLSL data[]; };
layout(binding = 1) readonly buffer Which { uint which[]; };
layout(binding = 2) writeonly buffer Results { GLSL results[]; };
layout(binding = 3) readonly buffer One { uint one[]; };

void main() {
  uint i = gl_LocalInvocationIndex, lane = gl_SubgroupInvocationID;
  GLSL x = data[i];
  results[i] = subgroupShuffle(x, which[i]);
  results[128 + i] = subgroupShuffle(x, one[0]);
  results[256 + i] = subgroupShuffleXor(x, 5);
  results[384 + i] = subgroupShuffleXor(x, one[0]);
  results[512 + i] = subgroupShuffleXor(x, which[i]);
  GLSL up = subgroupShuffleUp(x, 2), further = subgroupShuffleUp(x, one[1]);
  GLSL down = subgroupShuffleDown(x, 2), own = subgroupShuffleDown(x, which[i]);
  if (lane >= 2) results[640 + i] = up;
  if (lane >= 6) results[768 + i] = further;
  if (lane < gl_SubgroupSize - 2) results[896 + i] = down;
  if (lane + which[i] < gl_SubgroupSize) results[1024 + i] = own;
}
