#version 450
// A tensor layout with a stride that leads out of the buffer.
//! debug lines
//! each BUG = 1 | 0
//! require cooperativeMatrixTensorAddressing
//! setting check memory
//! require matrix 16 16 16 f32 f32 f32 f32
//! subgroup 32 full
//! buffer a f32[256] binding 0 = 1 + i
//! buffer results f32[320] binding 1 = -1
//! push u32 20 + 4 * $(BUG)
//! dispatch 1
//! finding memory tensor-bounds times $(BUG) "store"
//! expect results = i % (20 + 4 * $(BUG)) < 16 ? 1 + i / (20 + 4 * $(BUG)) * 16 + i % (20 + 4 * $(BUG)) : -1
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_NV_cooperative_matrix2 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };
layout(push_constant) uniform Push { uint stride; };

void main() {
  tensorLayoutNV<2> l = createTensorLayoutNV(2);
  l = setTensorLayoutDimensionNV(l, 16, 16);
  l = setTensorLayoutStrideNV(l, stride, 1);
  l = sliceTensorLayoutNV(l, 0, 16, 0, 16);
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m;
  coopMatLoad(m, a, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopMatStoreTensorNV(m, results, 0, l);  // finding
}
