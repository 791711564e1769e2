#version 450
// Matrices without a value, as a whole and in part.
//! require matrix 16 16 16 f16 f16 f32 f32
//! subgroup 32 full
//! buffer ones f16[256] binding 0 = 1
//! buffer sums f32[512] binding 1
//! dispatch 1
//! expect sums[0..256] = 16
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer Ones { float16_t ones[]; };
layout(binding = 1) buffer Sums { float sums[]; };
void main() {
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> a;
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> b, nothing;
  coopMatLoad(a, ones, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopMatLoad(b, ones, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> sum[3];
  sum[0] = coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(0.0);
  sum[0] = coopMatMulAdd(a, b, sum[0]);
  sum[1] = coopMatMulAdd(a, nothing, sum[2]);
  if (sum[2][0] > 3.0) sum[1] = sum[0];
  coopMatStore(sum[0], sums, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopMatStore(sum[1], sums, 256, 16, gl_CooperativeMatrixLayoutRowMajor);
}
