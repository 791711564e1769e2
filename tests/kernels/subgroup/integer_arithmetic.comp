#version 450
// subgroupAdd, Mul, Min, Max, And, Or and Xor of integers: reductions and scans over all
// invocations (results[0..700]), and over those that a branch leaves live (results[700..1400]).
// The last subgroup is not full.
//! each T GLSL LOW HIGH = u8 uint8_t 0 255 | s8 int8_t -128 127 | u16 uint16_t 0 65535
//!+ | s16 int16_t -32768 32767 | u32 uint32_t 0 4294967295 | s32 int32_t -2147483648 2147483647
//!+ | u64 uint64_t 0 u64(-1)
//!+ | s64 int64_t -(1<<63) (1<<63)-1
//! each OF END = Reduce min(n/subgroup_size*subgroup_size+subgroup_size,100)
//!+ | Inclusive n+1 | Exclusive n
//! each SIZE = 8 | 32 | 64
//! require subgroup arithmetic
//! require shaderInt8 shaderInt16 shaderInt64 storageBuffer8BitAccess storageBuffer16BitAccess
//! require shaderSubgroupExtendedTypes
//! buffer data $(T)[101] binding 0 = random($(LOW), $(HIGH), 1) | 1
//! buffer live u32[101] binding 1 = random(0, 2, 2) != 0
//! buffer results $(T)[1400] binding 2 = 0
//! subgroup $(SIZE)
//! dispatch 1
//! expect results[0..100] = sum(k, n/subgroup_size*subgroup_size, $(END), data[k])
//! expect results[100..200] = product(k, n/subgroup_size*subgroup_size, $(END), data[k])
//! expect results[200..300] = least(k, n/subgroup_size*subgroup_size, $(END)+1,
//!+                                 k < $(END) ? data[k] : $(HIGH))
//! expect results[300..400] = greatest(k, n/subgroup_size*subgroup_size, $(END)+1,
//!+                                    k < $(END) ? data[k] : $(LOW))
//! expect results[400..500] = all_bits(k, n/subgroup_size*subgroup_size, $(END), data[k])
//! expect results[500..600] = any_bits(k, n/subgroup_size*subgroup_size, $(END), data[k])
//! expect results[600..700] = xor_bits(k, n/subgroup_size*subgroup_size, $(END), data[k])
//! expect results[700..800] = live[n] ? sum(k, n/subgroup_size*subgroup_size, $(END),
//!+                                       live[k] ? data[k] : 0) : 0
//! expect results[800..900] = live[n] ? product(k, n/subgroup_size*subgroup_size, $(END),
//!+                                           live[k] ? data[k] : 1) : 0
//! expect results[900..1000] = live[n] ? least(k, n/subgroup_size*subgroup_size, $(END)+1,
//!+                                          k < $(END) && live[k] ? data[k] : $(HIGH)) : 0
//! expect results[1000..1100] = live[n] ? greatest(k, n/subgroup_size*subgroup_size, $(END)+1,
//!+                                              k < $(END) && live[k] ? data[k] : $(LOW)) : 0
//! expect results[1100..1200] = live[n] ? all_bits(k, n/subgroup_size*subgroup_size, $(END),
//!+                                              live[k] ? data[k] : -1) : 0
//! expect results[1200..1300] = live[n] ? any_bits(k, n/subgroup_size*subgroup_size, $(END),
//!+                                              live[k] ? data[k] : 0) : 0
//! expect results[1300..1400] = live[n] ? xor_bits(k, n/subgroup_size*subgroup_size, $(END),
//!+                                              live[k] ? data[k] : 0) : 0
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_EXT_shader_subgroup_extended_types_int8 : require
#extension GL_EXT_shader_subgroup_extended_types_int16 : require
#extension GL_EXT_shader_subgroup_extended_types_int64 : require
layout(local_size_x = 100) in;
layout(binding = 0) readonly buffer Data { GLSL data[]; };
layout(binding = 1) readonly buffer Live { uint live[]; };
layout(binding = 2) writeonly buffer Results { GLSL results[]; };

#define subgroupReduceAdd subgroupAdd
#define subgroupReduceMul subgroupMul
#define subgroupReduceMin subgroupMin
#define subgroupReduceMax subgroupMax
#define subgroupReduceAnd subgroupAnd
#define subgroupReduceOr subgroupOr
#define subgroupReduceXor subgroupXor
#define JOIN(a, b, c) a##b##c
#define CALL(of, op) JOIN(subgroup, of, op)

void compute(uint at, GLSL x) {
  results[at] = CALL(OF, Add)(x);
  results[at + 100] = CALL(OF, Mul)(x);
  results[at + 200] = CALL(OF, Min)(x);
  results[at + 300] = CALL(OF, Max)(x);
  results[at + 400] = CALL(OF, And)(x);
  results[at + 500] = CALL(OF, Or)(x);
  results[at + 600] = CALL(OF, Xor)(x);
}

void main() {
  uint i = gl_LocalInvocationIndex;
  compute(i, data[i]);
  if (live[i] != 0) compute(700 + i, data[i]);
}
