#version 450
// A matrix of Workgroup scope is loaded by one of the workgroup's subgroups. The branch is uniform
// for each subgroup, which is enough for matrices of Subgroup scope only.
//! debug
//! each BUG SCOPE = 1 gl_ScopeWorkgroup | 0 gl_ScopeSubgroup
//! setting check uniform
//! require cooperativeMatrix cooperativeMatrixWorkgroupScope
//! require subgroup basic
//! require matrix_type 16 16 Accumulator f32 invocations 128
//! require matrix_type 16 16 Accumulator f32
//! subgroup 32 full
//! buffer data f32[256] binding 0 = random(-9, 9, 1)
//! buffer results f32[256] binding 1
//! dispatch 1
//! finding uniform divergent-matrix times $(BUG)
//! expect results = $(BUG) ? @results[i] : data[i] + 1
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };
shared float stage[256];
const int row = gl_CooperativeMatrixLayoutRowMajor;

void main() {
  for (uint k = gl_LocalInvocationIndex; k < 256; k += 128) stage[k] = data[k] + 1.0;
  barrier();
  coopmat<float, SCOPE, 16, 16, gl_MatrixUseAccumulator> m;
  m = coopmat<float, SCOPE, 16, 16, gl_MatrixUseAccumulator>(0.0);
  if (gl_SubgroupID == 1) {
    coopMatLoad(m, stage, 0, 16, row);  // finding
  }
#if BUG
  coopMatStore(m, results, 0, 16, row);
#else
  if (gl_SubgroupID == 1) coopMatStore(m, results, 0, 16, row);
#endif
}
