#version 450
// Device scope, in which there are no matrices: so says the pipeline.
//! require cooperativeMatrix
//! spec 0 = u32 1
//! subgroup 32 full
//! buffer data u32[1024] binding 0
//! refuse "16x16 float as .* in scope 1; the nearest is: multiples of 8x8x8 up to 1024"
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(constant_id = 0) const int kScope = gl_ScopeSubgroup;
layout(binding = 0) buffer Data { float data[]; };

void main() {
  coopmat<float, kScope, 16, 16, gl_MatrixUseA> a;
  coopmat<float, kScope, 16, 16, gl_MatrixUseB> b;
  coopmat<float, kScope, 16, 16, gl_MatrixUseAccumulator> sum =
      coopmat<float, kScope, 16, 16, gl_MatrixUseAccumulator>(float(0));
  coopMatLoad(a, data, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopMatLoad(b, data, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopMatStore(coopMatMulAdd(a, b, sum), data, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
}
