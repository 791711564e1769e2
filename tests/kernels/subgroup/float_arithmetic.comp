#version 450
// subgroupAdd, Mul, Min and Max of floats: reductions and scans over all invocations
// (results[0..400]), and over those that a branch leaves live (results[400..800]). Sums and
// products are of numbers for which every order of the operations is exact.
//! each T GLSL = f16 float16_t | f32 float | f64 double
//! each OF END = Reduce min(n/subgroup_size*subgroup_size+subgroup_size,100)
//!+ | Inclusive n+1 | Exclusive n
//! each SIZE = 8 | 32 | 64
//! require subgroup arithmetic
//! require shaderFloat16 shaderFloat64 storageBuffer16BitAccess shaderSubgroupExtendedTypes
//! buffer data $(T)[101] binding 0 = random(-8, 7, 1) + 0.5
//! buffer live u32[101] binding 1 = random(0, 2, 2) != 0
//! buffer factors $(T)[101] binding 3 = ldexp(1.0 - 2 * random(0, 1, 3), random(-1, 1, 4))
//! buffer results $(T)[800] binding 2 = 0
//! subgroup $(SIZE)
//! dispatch 1
//! expect results[0..100] = sum(k, n/subgroup_size*subgroup_size, $(END), data[k])
//! expect results[100..200] = product(k, n/subgroup_size*subgroup_size, $(END), factors[k])
//! expect results[200..300] = least(k, n/subgroup_size*subgroup_size, $(END), data[k])
//! expect results[300..400] = greatest(k, n/subgroup_size*subgroup_size, $(END), data[k])
//! expect results[400..500] = live[n] ? sum(k, n/subgroup_size*subgroup_size, $(END),
//!+                                       live[k] ? data[k] : 0) : 0
//! expect results[500..600] = live[n] ? product(k, n/subgroup_size*subgroup_size, $(END),
//!+                                           live[k] ? factors[k] : 1) : 0
//! expect results[600..700] = live[n] ? least(k, n/subgroup_size*subgroup_size, $(END),
//!+                                         live[k] ? data[k] : inf) : 0
//! expect results[700..800] = live[n] ? greatest(k, n/subgroup_size*subgroup_size, $(END),
//!+                                            live[k] ? data[k] : -inf) : 0
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_EXT_shader_subgroup_extended_types_float16 : require
layout(local_size_x = 100) in;
layout(binding = 0) readonly buffer Data { GLSL data[]; };
layout(binding = 1) readonly buffer Live { uint live[]; };
layout(binding = 2) writeonly buffer Results { GLSL results[]; };
layout(binding = 3) readonly buffer Factors { GLSL factors[]; };

#define subgroupReduceAdd subgroupAdd
#define subgroupReduceMul subgroupMul
#define subgroupReduceMin subgroupMin
#define subgroupReduceMax subgroupMax
#define JOIN(a, b, c) a##b##c
#define CALL(of, op) JOIN(subgroup, of, op)

void compute(uint at, GLSL x, GLSL factor) {
  results[at] = CALL(OF, Add)(x);
  results[at + 100] = CALL(OF, Mul)(factor);
  results[at + 200] = CALL(OF, Min)(x);
  results[at + 300] = CALL(OF, Max)(x);
}

void main() {
  uint i = gl_LocalInvocationIndex;
  compute(i, data[i], factors[i]);
  if (live[i] != 0) compute(400 + i, data[i], factors[i]);
}
