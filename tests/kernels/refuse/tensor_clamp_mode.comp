#version 450
// A clamp mode that is none, known only when the module is specialized.
//! require cooperativeMatrix
//! require cooperativeMatrixTensorAddressing
//! spec 0 = u32 5
//! buffer data f32[256] binding 0
//! refuse "clamp mode .* is 5, not between 0 and 4"
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_NV_cooperative_matrix2 : require
layout(local_size_x = 32) in;
layout(constant_id = 0) const int mode = 1;
layout(binding = 0) buffer Data { float data[]; };

void main() {
  tensorLayoutNV<2, mode> l = createTensorLayoutNV(2, mode);
  l = setTensorLayoutDimensionNV(l, 16, 16);
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m;
  coopMatLoadTensorNV(m, data, 0, l);
  coopMatStoreTensorNV(m, data, 0, l);
}
