#version 450
// Components of constant matrices are constants, too.
//! require matrix 16 16 16 f16 f16 f32 f32
//! require shaderReplicatedComposites
//! each VALUE = 1 | 5
//! spec 0 = f32 $(VALUE)
//! buffer results f32[3] binding 0
//! dispatch 1
//! expect results[0] = $(VALUE)
//! expect results[1] = $(VALUE)
//! expect results[2] = 2 * $(VALUE)
#extension GL_KHR_cooperative_matrix : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_spec_constant_composites : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 32) in;
layout(constant_id = 0) const float value = 3;
const coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> m =
    coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA>(value);
const float first = float(m[0]);
const float last = float(m[7]);
layout(binding = 0) buffer Results { float results[]; };

void main() {
  if (gl_LocalInvocationIndex != 0) return;
  results[0] = first;
  results[1] = last;
  results[2] = first + last;
}
