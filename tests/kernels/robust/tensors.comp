#version 450
// cooperativeMatrixRobustBufferAccess for tensors: what is inside of the layout, but not of the buffer,
// loads as 0 and is not stored, whatever the clamp mode does with what is outside of the layout. Plain
// rows, columns, rows cut off by the layout, and a tensor of three dimensions; both scopes.
//! each SCOPE SIZE HELD = Subgroup 32 0 | Workgroup 64 64
//! each FORM AT LOST = rows i 0 | columns (i%16*16+i/16) 0 | cut i (i%16>=12)
//!+ | volume (i/128*180+i/16%8*20+i%16) 0
//! require cooperativeMatrixRobustBufferAccess cooperativeMatrixWorkgroupScope
//! require cooperativeMatrixFlexibleDimensions cooperativeMatrixTensorAddressing
//! require matrix_type 16 16 Accumulator f32 invocations $(HELD)
//! define FORM_$(FORM)
//! robust
//! buffer a f32[400] binding 0 range 602 = 1 + i
//! buffer loaded f32[256] binding 1
//! buffer stored f32[400] binding 2 range 806 = -1
//! subgroup 32 full
//! spec 0 = u32 $(SIZE)
//! dispatch 1
//! expect loaded = $(LOST) ? 9 : $(AT) < 150 ? 1 + $(AT) : 0
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_NV_cooperative_matrix2 : require
layout(local_size_x_id = 0) in;
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) writeonly buffer Loaded { float loaded[]; };
layout(binding = 2) writeonly buffer Stored { float stored[]; };
#define MATRIX coopmat<float, gl_Scope$(SCOPE), 16, 16, gl_MatrixUseAccumulator>
const int row = gl_CooperativeMatrixLayoutRowMajor, constant = gl_CooperativeMatrixClampModeConstantNV;

void main() {
  MATRIX m = MATRIX(0.0);
#ifdef FORM_volume
  // 2 x 8 x 16 elements, rows 20 apart, planes 180.
  tensorLayoutNV<3, constant> l = createTensorLayoutNV(3, constant);
  l = setTensorLayoutDimensionNV(l, 2, 8, 16);
  l = setTensorLayoutStrideNV(l, 180, 20, 1);
#else
  tensorLayoutNV<2, constant> l = createTensorLayoutNV(2, constant);
#ifdef FORM_cut
  l = setTensorLayoutDimensionNV(l, 16, 12);
  l = setTensorLayoutStrideNV(l, 16, 1);
  l = setTensorLayoutClampValueNV(l, floatBitsToUint(9));
  l = sliceTensorLayoutNV(l, 0, 16, 0, 16);
#else
  l = setTensorLayoutDimensionNV(l, 16, 16);
#endif
#endif
#ifdef FORM_columns
  tensorViewNV<2, false, 1, 0> v = createTensorViewNV(2, false, 1, 0);
  coopMatLoadTensorNV(m, a, 0, l, v);
  coopMatStore(m, loaded, 0, 16, row);
  m = m + MATRIX(1.0);
  coopMatStoreTensorNV(m, stored, 0, l, v);
#else
  coopMatLoadTensorNV(m, a, 0, l);
  coopMatStore(m, loaded, 0, 16, row);
  m = m + MATRIX(1.0);
  coopMatStoreTensorNV(m, stored, 0, l);
#endif
}
//! check count(i, 0, 256, !$(LOST) && $(AT) < 201 && @stored[$(AT)] != @loaded[i] + 1) == 0
//! check count(k, 0, 400, @stored[k] != -1) == count(i, 0, 256, !$(LOST) && $(AT) < 201)
//! expect stored[201..400] = -1
