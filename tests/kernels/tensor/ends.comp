#version 450
// Matrices of which the tensor has only the first rows: with a gap between rows, none at all, rows that
// overlap, other values outside than 0, and rows that become columns. What is outside is not stored.
//! each SCOPE SIZE HELD = Subgroup 32 0 | Workgroup 64 64
//! each FORM MODE STRIDE FIRST CLAMP HAS AT ELSE KEPT = rows Constant 20 0 0 (i/16<11) (i/16*20+i%16) 0 (i%20<16&&i<220)
//!+ | outside Constant 20 11 0 (i<0) i 0 (i<0)
//!+ | overlapping Constant 8 0 0 (i/16<11) (i/16*8+i%16) 0 (i<96)
//!+ | filled Constant 20 0 9 (i/16<11) (i/16*20+i%16) 9 (i%20<16&&i<220)
//!+ | edge ClampToEdge 20 0 0 (i/16<11) (i/16*20+i%16) (201+i%16) (i%20<16&&i<220)
//!+ | columns Constant 20 0 0 (i%16<11) (i%16*20+i/16) 0 (i%20<16&&i<220)
//! require cooperativeMatrixWorkgroupScope
//! require cooperativeMatrixFlexibleDimensions cooperativeMatrixTensorAddressing
//! require matrix_type 16 16 Accumulator f32 invocations $(HELD)
//! define FORM_$(FORM)
//! buffer a f32[400] binding 0 = 1 + i
//! buffer loaded f32[256] binding 1
//! buffer stored f32[400] binding 2 = -1
//! subgroup 32 full
//! spec 0 = u32 $(SIZE)
//! dispatch 1
//! expect loaded = $(HAS) ? 1 + $(AT) : $(ELSE)
//! expect stored = $(KEPT) ? 2 + i : -1
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_NV_cooperative_matrix2 : require
layout(local_size_x_id = 0) in;
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) writeonly buffer Loaded { float loaded[]; };
layout(binding = 2) writeonly buffer Stored { float stored[]; };
#define MATRIX coopmat<float, gl_Scope$(SCOPE), 16, 16, gl_MatrixUseAccumulator>
const int row = gl_CooperativeMatrixLayoutRowMajor;
const int mode = gl_CooperativeMatrixClampMode$(MODE)NV;

void main() {
  MATRIX m = MATRIX(0.0);
  tensorLayoutNV<2, mode> l = createTensorLayoutNV(2, mode);
  l = setTensorLayoutDimensionNV(l, 11, 16);
  l = setTensorLayoutStrideNV(l, STRIDE, 1);
  l = setTensorLayoutClampValueNV(l, floatBitsToUint(CLAMP));
  l = sliceTensorLayoutNV(l, FIRST, 16, 0, 16);
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
