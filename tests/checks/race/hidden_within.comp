#version 450
// All invocations of a workgroup read a word, then one stores to it, with nothing that keeps its
// store behind their loads. After Oclgrind's test data-race/intragroup_hidden_race.
//! debug
//! each BUG = 1 | 0
//! setting check race
//! buffer data u32[1] binding 0 = 40
//! buffer results u32[64] binding 1
//! dispatch 1
//! finding race device-memory times $(BUG)
//! expect data = 7
//! expect results = $(BUG) ? @results[i] : 40
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 64) in;
layout(binding = 0) coherent buffer Data { uint data; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  results[i] = data;  // finding
#if !BUG
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer,
                 gl_SemanticsAcquireRelease);
#endif
  if (i == 0) data = 7;  // finding
}
