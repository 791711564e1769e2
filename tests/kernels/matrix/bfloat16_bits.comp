#version 450
// Matrices of bfloat16 that are only handed on, through loops and branches, keep all bits of what
// was loaded: signalling NaNs, too.
//! require cooperativeMatrix shaderBFloat16CooperativeMatrix storageBuffer16BitAccess
//! require matrix_type 16 16 A bf16
//! buffer data u16[768] binding 0 = 32640 + (i + i / 256 * 5) % 128 + i % 2 * 32768
//! buffer numbers u32[2] binding 1 = { 5, 1 }
//! buffer result u16[512] binding 2 = 0
//! subgroup 32 full
//! dispatch 1
//! expect result[0..256] = data[i + 512]
//! expect result[256..512] = data[i - 256]
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_bfloat16 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Data { uint16_t data[]; };
layout(binding = 1) readonly buffer Numbers { uint count, chosen; };
layout(binding = 2) writeonly buffer Result { uint16_t result[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

void main() {
  coopmat<bfloat16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> a, b, c;
  coopMatLoad(a, data, 0, 16, row);
  coopMatLoad(b, data, 256, 16, row);
  coopMatLoad(c, data, 512, 16, row);
  // An odd number of times: a and b change places.
  for (uint k = 0; k < count; ++k) {
    coopmat<bfloat16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> before = a;
    a = b;
    b = before;
  }
  if (chosen != 0) a = c;
  coopMatStore(a, result, 0, 16, row);
  coopMatStore(b, result, 256, 16, row);
}
