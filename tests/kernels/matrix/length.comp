#version 450
// length() is the number of components that one invocation holds: max(1, ceil(rows * columns /
// invocations)), at every subgroup size.
//! each SIZE = 8 | 16 | 32 | 64
//! require cooperativeMatrix shaderFloat16 shaderInt8
//! require matrix 16 16 16 f16 f16 f32 f32
//! require matrix 16 16 32 s8 s8 s32 s32
//! buffer lengths u32[3] binding 0
//! spec 0 = u32 $(SIZE)
//! subgroup $(SIZE) full
//! dispatch 1
//! expect lengths = { 256 / $(SIZE), 512 / $(SIZE), 256 / $(SIZE) }
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
layout(local_size_x_id = 0) in;
layout(binding = 0) writeonly buffer Lengths { uint lengths[]; };

void main() {
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> a;
  coopmat<int8_t, gl_ScopeSubgroup, 32, 16, gl_MatrixUseB> b;
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> c;
  if (gl_LocalInvocationIndex == 0) {
    lengths[0] = a.length();
    lengths[1] = b.length();
    lengths[2] = c.length();
  }
}
