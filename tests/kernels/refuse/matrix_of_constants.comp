#version 450
// A matrix that is never loaded or stored, of a size that the device does not list: its components
// would not fit into memory.
//! require cooperativeMatrix
//! subgroup 32 full
//! buffer data u32[4] binding 0
//! refuse "65535x65535 float .*used by OpVariable"
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer Data { float data[]; };

void main() {
  coopmat<float, gl_ScopeSubgroup, 65535, 65535, gl_MatrixUseAccumulator> sum =
      coopmat<float, gl_ScopeSubgroup, 65535, 65535, gl_MatrixUseAccumulator>(1.0);
  sum = sum * sum;
  data[0] = sum[0];
}
