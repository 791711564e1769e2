#version 450
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_KHR_shader_subgroup_basic : require
// A matrix of the workgroup's, whose subgroups are one stream of instructions.
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess cooperativeMatrixWorkgroupScope
//! require subgroup basic
//! buffer elements f16[256] binding 0 = i % 11
//! buffer results u32[128] binding 1
//! debug
//! subgroup 32 full
//! dispatch 1
layout(local_size_x = 128) in;
layout(binding = 0) buffer Elements { float16_t elements[]; };
layout(binding = 1) buffer Results { uint results[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  uint doubled = i * 2;
  coopmat<float16_t, gl_ScopeWorkgroup, 16, 16, gl_MatrixUseAccumulator> whole;
  coopMatLoad(whole, elements, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  if (i % 32 < 3) {
    doubled += gl_SubgroupID;  // in the branch
  }
  results[i] = doubled;  // behind the branch
  coopMatStore(whole, elements, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
}
