#version 450
// The stride of a matrix comes from a buffer, a number for each invocation; they are the same or
// not.
//! debug
//! each BUG = 1 | 0
//! setting check uniform
//! require cooperativeMatrix
//! require matrix_type 16 16 Accumulator f32
//! subgroup 32 full
//! buffer strides u32[32] binding 0 = $(BUG) ? 16 + 4 * (i % 2) : 20
//! buffer data f32[512] binding 1 = random(-9, 9, 1)
//! buffer results f32[256] binding 2
//! dispatch 1
//! finding uniform nonuniform-operand times $(BUG)
//! expect results = $(BUG) ? @results[i] : data[i / 16 * 20 + i % 16]
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Strides { uint strides[]; };
layout(binding = 1) readonly buffer Data { float data[]; };
layout(binding = 2) writeonly buffer Results { float results[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

void main() {
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m;
  coopMatLoad(m, data, 0, strides[gl_LocalInvocationIndex], row);  // finding
  coopMatStore(m, results, 0, 16, row);
}
