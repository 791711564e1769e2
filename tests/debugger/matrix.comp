#version 450
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
// A product of matrices, step by step.
//! buffer a f16[512] binding 0 = i % 7
//! buffer b f16[512] binding 1 = i % 5
//! buffer c f32[256] binding 2
//! debug
//! dispatch 1
layout(local_size_x = 32) in;
layout(binding = 0) buffer A { float16_t a[]; };
layout(binding = 1) buffer B { float16_t b[]; };
layout(binding = 2) buffer C { float c[]; };
void main() {
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> sums[2];
  sums[0] = coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(0.0);
  sums[1] = coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(7.0);
  for (uint k = 0; k < 32; k += 16) {
    coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> ma;
    coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> mb;
    coopMatLoad(ma, a, k, 32, gl_CooperativeMatrixLayoutRowMajor);
    coopMatLoad(mb, b, k * 16, 16, gl_CooperativeMatrixLayoutRowMajor);
    sums[0] = coopMatMulAdd(ma, mb, sums[0]);  // the product
  }
  coopMatStore(sums[0], c, 0, 16, gl_CooperativeMatrixLayoutRowMajor);  // the store
}
