#version 450
// A tensor layout with more rows than the buffer has.
//! debug lines
//! each BUG = 1 | 0
//! require cooperativeMatrixTensorAddressing
//! setting check memory
//! require matrix 16 16 16 f32 f32 f32 f32
//! subgroup 32 full
//! buffer a f32[20 * 12] binding 0 = 1 + i
//! buffer results f32[256] binding 1
//! push u32 12 + 4 * $(BUG)
//! dispatch 1
//! finding memory tensor-bounds times $(BUG) "load"
//! expect results = i / 16 < 12 ? 1 + i / 16 * 20 + 4 + i % 16 : 0
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_NV_cooperative_matrix2 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };
layout(push_constant) uniform Push { uint rows; };
const int mode = gl_CooperativeMatrixClampModeConstantNV;

void main() {
  tensorLayoutNV<2, mode> l = createTensorLayoutNV(2, mode);
  l = setTensorLayoutDimensionNV(l, rows, 20);
  l = sliceTensorLayoutNV(l, 0, 16, 4, 16);
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m;
  coopMatLoadTensorNV(m, a, 0, l);  // finding
  coopMatStore(m, results, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
}
