#version 450
// A vector of halves that is partly out of bounds is so as a whole: nothing is changed, and the old
// value is 0.
//! require shaderFloat16VectorAtomics shaderFloat16 storageBuffer16BitAccess
//! robust
//! buffer target f16[128] binding 0 range 84 = i
//! buffer results f16[128] binding 1
//! dispatch 1
//! expect results = i < 40 ? i : 0
//! expect target = i < 40 ? i + 1 : i
#extension GL_NV_shader_atomic_fp16_vector : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer Target { f16vec4 target[]; };
layout(binding = 1) writeonly buffer Results { f16vec4 results[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  results[i] = atomicAdd(target[i], f16vec4(1));
}
