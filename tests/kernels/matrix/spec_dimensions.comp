#version 450
// Rows, columns and layout operands from specialization constants.
//! require cooperativeMatrix shaderInt8 storageBuffer8BitAccess
//! require matrix 16 16 32 s8 s8 s32 s32
//! buffer a s8[512] binding 0 = random(-128, 127, 1)
//! buffer b s8[512] binding 1 = random(-128, 127, 2)
//! buffer d s32[256] binding 2
//! spec 0 = u32 16
//! spec 1 = u32 16
//! spec 2 = u32 32
//! spec 3 = u32 32
//! subgroup 32 full
//! dispatch 1
//! matmul d(16, 16) = a(16, 32) * b(32, 16)
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
layout(local_size_x_id = 3) in;
layout(constant_id = 0) const uint kM = 1;
layout(constant_id = 1) const uint kN = 1;
layout(constant_id = 2) const uint kK = 1;
layout(binding = 0) readonly buffer ABuffer { int8_t a[]; };
layout(binding = 1) readonly buffer BBuffer { int8_t b[]; };
layout(binding = 2) writeonly buffer DBuffer { int d[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;

void main() {
  coopmat<int8_t, gl_ScopeSubgroup, kM, kK, gl_MatrixUseA> x;
  coopmat<int8_t, gl_ScopeSubgroup, kK, kN, gl_MatrixUseB> y;
  coopMatLoad(x, a, 0, kK, row);
  coopMatLoad(y, b, 0, kN, row);
  coopmat<int, gl_ScopeSubgroup, kM, kN, gl_MatrixUseAccumulator> z =
      coopmat<int, gl_ScopeSubgroup, kM, kN, gl_MatrixUseAccumulator>(0);
  coopMatStore(coopMatMulAdd(x, y, z), d, 0, kN, row);
}
