#version 450
// Each component belongs to exactly one invocation: every one writes its own number into those it
// holds, and the numbers count to length() for each invocation.
//! require cooperativeMatrix
//! require matrix 16 16 16 f32 f32 f32 f32
//! each SIZE = 8 | 16 | 32 | 64
//! buffer owner f32[256] binding 0
//! spec 0 = u32 $(SIZE)
//! subgroup $(SIZE) full
//! dispatch 1
//! expect owner = count(k, 0, 256, @owner[k] == i % $(SIZE)) == 256 / $(SIZE) ? @owner[i] : -1
//! check count(k, 0, 256, @owner[k] >= 0 && @owner[k] < $(SIZE)) == 256
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
layout(local_size_x_id = 0) in;
layout(binding = 0) writeonly buffer Owner { float owner[]; };

void main() {
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m;
  for (int k = 0; k < m.length(); ++k) m[k] = float(gl_LocalInvocationIndex);
  coopMatStore(m, owner, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
}
