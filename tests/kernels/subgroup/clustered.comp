#version 450
// Reductions in clusters of 1 to 64 invocations (larger than the subgroup: all of it), for all
// invocations (results[0..100 * 7]) and for those that a branch leaves live.
//! each SIZE = 8 | 32 | 64
//! each T GLSL HIGH = u32 uint 4294967295 | s16 int16_t 32767 | f32 float inf
//! require subgroup clustered
//! require shaderInt16 storageBuffer16BitAccess shaderSubgroupExtendedTypes
//! buffer data $(T)[128] binding 0 = random(0, 100, 1)
//! buffer live u32[128] binding 1 = random(0, 2, 2) != 0
//! buffer sums $(T)[1400] binding 2 = 0
//! buffer least $(T)[1400] binding 3 = 0
//! subgroup $(SIZE)
//! dispatch 1
//! expect sums[0..700] = sum(k, n % 100 & ~(min(1 << n / 100, subgroup_size) - 1),
//!+  min((n % 100 & ~(min(1 << n / 100, subgroup_size) - 1)) + min(1 << n / 100, subgroup_size), 100), data[k])
//! expect least[0..700] = least(k, n % 100 & ~(min(1 << n / 100, subgroup_size) - 1),
//!+  min((n % 100 & ~(min(1 << n / 100, subgroup_size) - 1)) + min(1 << n / 100, subgroup_size), 100), data[k])
//! expect sums[700..1400] = live[n % 100] == 0 ? 0 :
//!+  sum(k, n % 100 & ~(min(1 << n / 100, subgroup_size) - 1),
//!+  min((n % 100 & ~(min(1 << n / 100, subgroup_size) - 1)) + min(1 << n / 100, subgroup_size), 100), live[k] ? data[k] : 0)
//! expect least[700..1400] = live[n % 100] == 0 ? 0 :
//!+  least(k, n % 100 & ~(min(1 << n / 100, subgroup_size) - 1),
//!+  min((n % 100 & ~(min(1 << n / 100, subgroup_size) - 1)) + min(1 << n / 100, subgroup_size), 100), live[k] ? data[k] : $(HIGH))
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_EXT_shader_subgroup_extended_types_int16 : require
layout(local_size_x = 100) in;
layout(binding = 0) readonly buffer Data { GLSL data[]; };
layout(binding = 1) readonly buffer Live { uint live[]; };
layout(binding = 2) writeonly buffer Sums { GLSL sums[]; };
layout(binding = 3) writeonly buffer Least { GLSL least[]; };

#define CLUSTER(log, size)                                  \
  sums[at + 100 * log] = subgroupClusteredAdd(x, size); \
  least[at + 100 * log] = subgroupClusteredMin(x, size);

void compute(uint at, GLSL x) {
  CLUSTER(0, 1)
  CLUSTER(1, 2)
  CLUSTER(2, 4)
  CLUSTER(3, 8)
  CLUSTER(4, 16)
  CLUSTER(5, 32)
  CLUSTER(6, 64)
}

void main() {
  uint i = gl_LocalInvocationIndex;
  compute(i, data[i]);
  if (live[i] != 0) compute(700 + i, data[i]);
}
