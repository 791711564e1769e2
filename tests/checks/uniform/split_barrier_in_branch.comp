#version 450
// A part of the workgroup arrives at a split barrier, all wait for it.
//! debug
//! each BUG = 1 | 0
//! setting check uniform
//! require shaderSplitBarrier
//! buffer results u32[64] binding 0
//! dispatch 1
//! finding uniform divergent-barrier times $(BUG)
//! expect results = i + 1
#extension GL_EXT_split_barrier : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 64) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
#if BUG
  if (i < 40)
#endif
    controlBarrierArrive();  // finding
  uint work = i + 1;
  controlBarrierWait();
  results[i] = work;
}
