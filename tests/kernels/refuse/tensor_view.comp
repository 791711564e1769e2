#version 450
// Views that fit no layout: two dimensions permuted to one place, and more dimensions taken from a
// layout than it has.
//! require cooperativeMatrix
//! require cooperativeMatrixTensorAddressing
//! subgroup 32 full
//! buffer data f32[256] binding 0
//! each WRONG DIMENSIONS PERMUTATION FIRST = permutation 2 first,1 1 | dimensions 3 first,1,2 0
//! spec 0 = u32 $(FIRST)
//! refuse "dimensions are permuted to the same place|takes its 3 dimensions from the layout, which has 2"
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_NV_cooperative_matrix2 : require
layout(local_size_x = 32) in;
layout(constant_id = 0) const int first = 0;
layout(binding = 0) buffer Data { float data[]; };

void main() {
  tensorLayoutNV<2> l = createTensorLayoutNV(2);
  l = setTensorLayoutDimensionNV(l, 16, 16);
  tensorViewNV<DIMENSIONS, false, PERMUTATION> v =
      createTensorViewNV(DIMENSIONS, false, PERMUTATION);
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m;
  coopMatLoadTensorNV(m, data, 0, l, v);
  coopMatStoreTensorNV(m, data, 0, l, v);
}
