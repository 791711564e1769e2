#version 450
// With the clamp mode Undefined, whose slices must lie inside of the layout: one in the middle is
// loaded and stored, and what is around it stays.
//! require matrix 16 16 16 f16 f16 f32 f32
//! require cooperativeMatrixTensorAddressing
//! subgroup 32 full
//! buffer source f32[480] binding 0 = i * 3 + 1
//! buffer loaded f32[256] binding 1
//! buffer stored f32[480] binding 2 = -i
//! buffer numbers u32[2] binding 3 = { 20, 24 }
//! dispatch 1
#extension GL_KHR_cooperative_matrix : enable
#extension GL_KHR_memory_scope_semantics : enable
#extension GL_NV_cooperative_matrix2 : enable
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) readonly buffer Source { float source[]; };
layout(set = 0, binding = 1) buffer Loaded { float loaded[]; };
layout(set = 0, binding = 2) buffer Stored { float stored[]; };
layout(set = 0, binding = 3) readonly buffer Numbers { uint height, width; };

// The slice of rows 3 to 18 and columns 5 to 20 of 20 x 24.
void main() {
  tensorLayoutNV<2, gl_CooperativeMatrixClampModeUndefinedNV> l =
      createTensorLayoutNV(2, gl_CooperativeMatrixClampModeUndefinedNV);
  l = setTensorLayoutDimensionNV(l, height, width);
  l = sliceTensorLayoutNV(l, 3, 16, 5, 16);
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m =
      coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(0.0);
  coopMatLoadTensorNV(m, source, 0, l);
  coopMatStore(m, loaded, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopMatStoreTensorNV(m, stored, 0, l);
}
//! expect loaded = source[(i / 16 + 3) * 24 + i % 16 + 5]
//! expect stored = i / 24 >= 3 && i / 24 < 19 && i % 24 >= 5 && i % 24 < 21 ? source[i] : -i
