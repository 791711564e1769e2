#version 450
// GL_NV_cooperative_matrix: every component read, changed and written by the invocation that holds
// it, by literal and by computed indices; the length, also as the size of an array.
//! each SIZE = 8 | 32 | 64
//! each OPT = off | on
//! optimize $(OPT)
//! require VK_NV_cooperative_matrix
//! require matrix 16 16 16 f32 f32 f32 f32
//! buffer data f32[256] binding 0 = random(0, 40, 1)
//! buffer result f32[256] binding 1
//! buffer lengths u32[2] binding 2
//! spec 0 = u32 $(SIZE)
//! subgroup $(SIZE) full
//! dispatch 1
//! expect result = data[i] * 3 + 2
//! expect lengths = 256 / $(SIZE)
#extension GL_NV_cooperative_matrix : require
#extension GL_NV_integer_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x_id = 0) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Result { float result[]; };
layout(binding = 2) writeonly buffer Lengths { uint lengths[]; };

fcoopmatNV<32, gl_ScopeSubgroup, 16, 16> m;
float copies[m.length()];

void main() {
  coopMatLoadNV(m, data, 0, 16, false);
  for (int k = 0; k < m.length(); ++k) copies[k] = m[k];
  for (int k = 0; k < m.length(); ++k) m[k] = m[k] + copies[k] * 2.0 + 1.0;
  m[0] += 1.0;
  for (int k = 1; k < m.length(); ++k) m[k] = m[k] + 1.0;
  coopMatStoreNV(m, result, 0, 16, false);
  lengths[0] = m.length();
  lengths[1] = copies.length();
}
