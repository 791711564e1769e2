#version 450
// A multiple of the granularity beyond the largest dimension.
//! require cooperativeMatrix
//! subgroup 32 full
//! buffer data u32[1024] binding 0
//! refuse "1040x16 float as an accumulator; the nearest is: multiples of 8x8x8 up to 1024"
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer Data { float data[]; };

void main() {
  coopmat<float, gl_ScopeSubgroup, 1040, 16, gl_MatrixUseAccumulator> m;
  coopMatLoad(m, data, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopMatStore(m + m, data, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
}
