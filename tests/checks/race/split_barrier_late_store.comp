#version 450
// A split barrier: the store stands behind the arrival, which does not release it.
//! debug
//! each BUG = 1 | 0
//! setting check race
//! require shaderSplitBarrier
//! buffer data u32[64] binding 0 = random(0, 100, 1)
//! buffer results u32[64] binding 1
//! dispatch 1
//! finding race workgroup-memory times $(BUG)
//! expect results = $(BUG) ? @results[i] : data[i ^ 1]
#extension GL_EXT_split_barrier : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };
shared uint stage[64];

void main() {
  uint i = gl_LocalInvocationIndex;
#if !BUG
  stage[i] = data[i];
#endif
  controlBarrierArrive(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared,
                       gl_SemanticsRelease);
#if BUG
  stage[i] = data[i];  // finding
#endif
  controlBarrierWait(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared,
                     gl_SemanticsAcquire);
  results[i] = stage[i ^ 1];  // finding
}
