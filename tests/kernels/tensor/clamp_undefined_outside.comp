#version 450
// With the clamp mode Undefined, a slice that sticks out of the layout on all sides: undefined as
// SPV_NV_tensor_addressing has it, but here nothing outside of the layout is touched, and what is
// inside is loaded and stored.
//! require matrix 16 16 16 f16 f16 f32 f32
//! require cooperativeMatrixTensorAddressing
//! setting component_layout native
//! subgroup 32 full
//! buffer source f32[80] binding 0 = i * 3 + 1
//! buffer loaded f32[256] binding 1
//! buffer stored f32[80] binding 2 = -i
//! buffer numbers u32[2] binding 3 = { 10, 8 }
//! dispatch 1
#extension GL_KHR_cooperative_matrix : enable
#extension GL_KHR_memory_scope_semantics : enable
#extension GL_NV_cooperative_matrix2 : enable
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) readonly buffer Source { float source[]; };
layout(set = 0, binding = 1) buffer Loaded { float loaded[]; };
layout(set = 0, binding = 2) buffer Stored { float stored[]; };
layout(set = 0, binding = 3) readonly buffer Numbers { uint height, width; };

// The slice of rows -3 to 12 and columns -4 to 11 of 10 x 8.
void main() {
  tensorLayoutNV<2, gl_CooperativeMatrixClampModeUndefinedNV> l =
      createTensorLayoutNV(2, gl_CooperativeMatrixClampModeUndefinedNV);
  l = setTensorLayoutDimensionNV(l, height, width);
  l = sliceTensorLayoutNV(l, -3, 16, -4, 16);
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m =
      coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(0.0);
  coopMatLoadTensorNV(m, source, 0, l);
  coopMatStore(m, loaded, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopMatStoreTensorNV(m, stored, 0, l);
}
//! expect stored = i * 3 + 1
//! expect loaded = i / 16 >= 3 && i / 16 < 13 && i % 16 >= 4 && i % 16 < 12
//!+ ? source[(i / 16 - 3) * 8 + i % 16 - 4] : @loaded[i]
