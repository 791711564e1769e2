#version 450
// The element at which a matrix starts contains the invocation's number, as the address of a number
// that it loads alone would.
//! debug
//! each BUG OFFSET = 1 4*gl_SubgroupInvocationID | 0 0
//! setting check uniform
//! require cooperativeMatrix
//! require subgroup basic
//! require matrix_type 16 16 Accumulator f32
//! subgroup 32 full
//! buffer data f32[1024] binding 0 = random(-9, 9, 1)
//! buffer results f32[512] binding 1
//! dispatch 2
//! finding uniform nonuniform-operand times $(BUG)
//! expect results = $(BUG) ? @results[i] : data[i]
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

void main() {
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m;
  uint tile = 256 * gl_WorkGroupID.x;
  coopMatLoad(m, data, tile + OFFSET, 16, row);  // finding
  coopMatStore(m, results, tile, 16, row);
}
