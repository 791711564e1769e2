#version 450
// A matrix size that the device does not list, and no multiple of its granularity.
//! require cooperativeMatrix
//! subgroup 32 full
//! buffer data u32[1024] binding 0
//! refuse "20x20 float as .*; the nearest is: multiples of 8x8x8 up to 1024"
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer Data { float data[]; };

void main() {
  coopmat<float, gl_ScopeSubgroup, 20, 20, gl_MatrixUseA> a;
  coopmat<float, gl_ScopeSubgroup, 20, 20, gl_MatrixUseB> b;
  coopmat<float, gl_ScopeSubgroup, 20, 20, gl_MatrixUseAccumulator> sum =
      coopmat<float, gl_ScopeSubgroup, 20, 20, gl_MatrixUseAccumulator>(float(0));
  coopMatLoad(a, data, 0, 20, gl_CooperativeMatrixLayoutRowMajor);
  coopMatLoad(b, data, 0, 20, gl_CooperativeMatrixLayoutRowMajor);
  coopMatStore(coopMatMulAdd(a, b, sum), data, 0, 20, gl_CooperativeMatrixLayoutRowMajor);
}
