#version 450
// subgroupRotate and subgroupClusteredRotate by constant and computed distances.
//! each SIZE = 8 | 16 | 32 | 64
//! each T GLSL = u8 uint8_t | f32 float | f64 double
//! require shaderSubgroupRotate shaderSubgroupRotateClustered
//! require shaderInt8 shaderFloat64 storageBuffer8BitAccess shaderSubgroupExtendedTypes
//! buffer data $(T)[128] binding 0 = random(0, 100, 1)
//! buffer one u32[1] binding 1 = 5
//! buffer results $(T)[512] binding 2 = 0
//! subgroup $(SIZE)
//! dispatch 1
//! expect results[0..128] = data[n/subgroup_size*subgroup_size + (n + 3) % subgroup_size]
//! expect results[128..256] = data[n/subgroup_size*subgroup_size + (n + 5) % subgroup_size]
//! expect results[256..384] = data[n/4*4 + (n + 3) % 4]
//! expect results[384..512] = data[n/8*8 + (n + 5) % 8]
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_KHR_shader_subgroup_rotate : require
#extension GL_EXT_shader_subgroup_extended_types_int8 : require
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer Data { GLSL data[]; };
layout(binding = 1) readonly buffer One { uint one[]; };
layout(binding = 2) writeonly buffer Results { GLSL results[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  GLSL x = data[i];
  results[i] = subgroupRotate(x, 3);
  results[128 + i] = subgroupRotate(x, one[0]);
  results[256 + i] = subgroupClusteredRotate(x, 3, 4);
  results[384 + i] = subgroupClusteredRotate(x, one[0], 8);
}
