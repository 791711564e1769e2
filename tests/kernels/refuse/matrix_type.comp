#version 450
// The nearest row is one of the same component type.
//! require cooperativeMatrix shaderInt16
//! subgroup 32 full
//! buffer data u32[1024] binding 0
//! refuse "no multiplication has a matrix of 16x20 int16_t as A; the nearest is: multiples of 8x8x8 up to 1024, int16_t"
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer Data { int data[]; };

void main() {
  coopmat<int16_t, gl_ScopeSubgroup, 16, 20, gl_MatrixUseA> a;
  coopmat<int16_t, gl_ScopeSubgroup, 20, 16, gl_MatrixUseB> b;
  coopmat<int, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> sum =
      coopmat<int, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(int(0));
  coopMatLoad(a, data, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopMatLoad(b, data, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopMatStore(coopMatMulAdd(a, b, sum), data, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
}
