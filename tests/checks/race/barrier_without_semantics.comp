#version 450
// A control barrier without memory semantics makes invocations wait but orders no memory.
//! debug
//! each BUG STORAGE SEMANTICS = 1 0 0 | 0 gl_StorageSemanticsShared gl_SemanticsAcquireRelease
//! setting check race
//! buffer data u32[64] binding 0 = random(0, 100, 1)
//! buffer results u32[64] binding 1
//! dispatch 1
//! finding race workgroup-memory times $(BUG)
//! expect results = $(BUG) ? @results[i] : data[63 - i]
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };
shared uint stage[64];

void main() {
  uint i = gl_LocalInvocationIndex;
  stage[i] = data[i];  // finding
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, STORAGE, SEMANTICS);
  results[i] = stage[63 - i];  // finding
}
