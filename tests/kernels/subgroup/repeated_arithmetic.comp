#version 450
// Reductions and scans that a shader has in many places, which share their code: of the components
// of vectors, of all invocations (first half of each pair of rows) and of those that a branch leaves
// live (second half). The last subgroup is not full.
//! each T GLSL VECTOR = u8 uint8_t u8vec4 | s16 int16_t i16vec4 | u32 uint uvec4
//!+ | u64 uint64_t u64vec4 | f16 float16_t f16vec4 | f32 float vec4 | f64 double dvec4
//! each OF END = Reduce min(n%400/4/subgroup_size*subgroup_size+subgroup_size,100)
//!+ | Inclusive n%400/4+1 | Exclusive n%400/4
//! each SIZE = 8 | 32 | 64
//! require subgroup arithmetic
//! require subgroup clustered
//! require shaderFloat16 shaderFloat64 shaderInt8 shaderInt16 shaderInt64
//! require storageBuffer8BitAccess storageBuffer16BitAccess shaderSubgroupExtendedTypes
//! buffer data $(T)[404] binding 0 = random(0, 7, 1)
//! buffer live u32[101] binding 1 = random(0, 2, 2) != 0
//! buffer results $(T)[2400] binding 2 = 0
//! subgroup $(SIZE)
//! dispatch 1
//! expect results[0..400] = sum(k, n/4/subgroup_size*subgroup_size, $(END), data[4*k+n%4])
//! expect results[400..800] = live[n%400/4] ? sum(k, n%400/4/subgroup_size*subgroup_size, $(END),
//!+                          live[k] ? data[4*k+n%4] : 0) : 0
//! expect results[800..1200] = greatest(k, n%400/4/subgroup_size*subgroup_size, $(END)+1,
//!+                           k < $(END) ? data[4*k+n%4] + 1 : 0)
//! expect results[1200..1600] = live[n%400/4] ? greatest(k, n%400/4/subgroup_size*subgroup_size,
//!+                           $(END)+1, k < $(END) && live[k] ? data[4*k+n%4] + 1 : 0) : 0
//! expect results[1600..2000] = sum(k, n%400/4/4*4, n%400/4/4*4+4, data[4*k+n%4])
//! expect results[2000..2400] = live[n%400/4] ? sum(k, n%400/4/4*4, n%400/4/4*4+4,
//!+                           live[k] ? data[4*k+n%4] : 0) : 0
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_EXT_shader_subgroup_extended_types_int8 : require
#extension GL_EXT_shader_subgroup_extended_types_int16 : require
#extension GL_EXT_shader_subgroup_extended_types_int64 : require
#extension GL_EXT_shader_subgroup_extended_types_float16 : require
layout(local_size_x = 100) in;
layout(binding = 0) readonly buffer Data { VECTOR data[]; };
layout(binding = 1) readonly buffer Live { uint live[]; };
layout(binding = 2) writeonly buffer Results { VECTOR results[]; };

#define subgroupReduceAdd subgroupAdd
#define subgroupReduceMax subgroupMax
#define JOIN(a, b, c) a##b##c
#define CALL(of, op) JOIN(subgroup, of, op)

void compute(uint at, VECTOR x) {
  results[at] = CALL(OF, Add)(x);
  // An exclusive scan's first result, which is the least number, becomes 0 as well.
  results[at + 200] = max(CALL(OF, Max)(x + GLSL(1)), VECTOR(GLSL(0)));
  results[at + 400] = subgroupClusteredAdd(x, 4);
}

void main() {
  uint i = gl_LocalInvocationIndex;
  compute(i, data[i]);
  if (live[i] != 0) compute(100 + i, data[i]);
}
