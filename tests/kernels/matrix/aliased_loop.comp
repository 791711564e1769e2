#version 450
// The loop stores into what a later round loads: operands must not be fetched ahead of the store.
//! require cooperativeMatrix
//! require matrix 16 16 16 f32 f32 f32 f32
//! subgroup 32 full
//! buffer a f32[1024] binding 0 = i < 256 ? i % 16 : 0
//! buffer b f32[256] binding 1 = i % 17 == 0 ? 2 : 0
//! dispatch 1
//! expect a = (1 << (i / 256)) * (i % 16)
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer ABuffer { float a[]; };
layout(binding = 1) readonly buffer BBuffer { float b[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;

void main() {
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> y;
  coopMatLoad(y, b, 0, 16, row);
  for (uint k = 0; k < 3; ++k) {
    coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> x;
    coopMatLoad(x, a, 256 * k, 16, row);
    coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> z =
        coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(0.0);
    coopMatStore(coopMatMulAdd(x, y, z), a, 256 * (k + 1), 16, row);
  }
}
