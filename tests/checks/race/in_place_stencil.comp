#version 450
// Each invocation replaces its number by its left neighbour's, in place. After Oclgrind's test
// data-race/global_read_write_race.
//! debug
//! each BUG = 1 | 0
//! setting check race
//! buffer data u32[64] binding 0 = i * i
//! dispatch 1
//! finding race device-memory times $(BUG)
//! expect data = $(BUG) ? @data[i] : i == 0 ? 0 : (i - 1) * (i - 1)
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 64) in;
layout(binding = 0) coherent buffer Data { uint data[]; };

void main() {
  uint i = gl_LocalInvocationIndex, left = 0;
  if (i > 0) left = data[i - 1];  // finding
#if !BUG
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer,
                 gl_SemanticsAcquireRelease);
#endif
  data[i] = left;  // finding
}
