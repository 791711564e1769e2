#version 450
// The pointer of a matrix of Workgroup scope depends on the subgroup, as if each subgroup had its
// own.
//! debug
//! each BUG SCOPE = 1 gl_ScopeWorkgroup | 0 gl_ScopeSubgroup
//! setting check uniform
//! require cooperativeMatrix cooperativeMatrixWorkgroupScope
//! require subgroup basic
//! require matrix_type 16 16 Accumulator f32 invocations 128
//! require matrix_type 16 16 Accumulator f32
//! subgroup 32 full
//! buffer data f32[1024] binding 0 = random(-9, 9, 1)
//! buffer results f32[1024] binding 1 = 0
//! dispatch 1
//! finding uniform nonuniform-operand times $(BUG)
//! expect results = $(BUG) ? @results[i] : data[i]
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

void main() {
  coopmat<float, SCOPE, 16, 16, gl_MatrixUseAccumulator> m;
  coopMatLoad(m, data, 256 * gl_SubgroupID, 16, row);  // finding
#if BUG
  coopMatStore(m, results, 0, 16, row);
#else
  coopMatStore(m, results, 256 * gl_SubgroupID, 16, row);
#endif
}
