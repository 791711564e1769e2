#version 450
// debugPrintfEXT of an operand in each step of a product: the session of docs/debugging.md.
//! require cooperativeMatrixFlexibleDimensions shaderFloat16 storageBuffer16BitAccess
//! require matrix 8 8 8 f16 f16 f32 f32
//! buffer a f16[128] binding 0 = i * 0.25
//! buffer b f16[128] binding 1 = i / 8 == i % 8 ? 1 : 0
//! buffer d f32[64] binding 2
//! subgroup 32 full
//! dispatch 1
//! matmul d(8, 8 row) = a(8, 16 row) * b(16, 8 row)
//! prints "^A at column 0:.  0.00,   0.25,.* 29.75$"
//! prints "^A at column 8:.  2.00,   2.25,.* 31.75$"
//! order "column 0" "column 8"
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_debug_printf : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer ABuffer { float16_t a[]; };
layout(binding = 1) readonly buffer BBuffer { float16_t b[]; };
layout(binding = 2) writeonly buffer DBuffer { float d[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

void main() {
  coopmat<float, gl_ScopeSubgroup, 8, 8, gl_MatrixUseAccumulator> sum =
      coopmat<float, gl_ScopeSubgroup, 8, 8, gl_MatrixUseAccumulator>(0.0);
  for (uint k = 0; k < 16; k += 8) {
    coopmat<float16_t, gl_ScopeSubgroup, 8, 8, gl_MatrixUseA> x;
    coopmat<float16_t, gl_ScopeSubgroup, 8, 8, gl_MatrixUseB> y;
    coopMatLoad(x, a, k, 16, row);
    coopMatLoad(y, b, k * 8, 8, row);
    debugPrintfEXT("A at column %d:%6.2f", k, x);
    sum = coopMatMulAdd(x, y, sum);
  }
  coopMatStore(sum, d, 0, 8, row);
}
